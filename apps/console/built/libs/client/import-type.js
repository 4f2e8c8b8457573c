export function sniff(beginning, name) {
    const isUtf16 = (beginning[0] === 0xff && beginning[1] === 0xfe) || (beginning[0] === 0xfe && beginning[1] === 0xff);
    const text = new TextDecoder(isUtf16 ? (beginning[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8')
        .decode(beginning)
        .trimStart();
    if (text.startsWith('['))
        return 'json';
    if (!text.startsWith('<'))
        return null;
    const bare = text.replace(/<\?[\s\S]*?\?>|<!--[\s\S]*?-->/g, '').replace(/<!DOCTYPE[^[>]*(\[[\s\S]*?\]\s*)?>/i, '');
    const root = /<(?:[\w.-]+:)?([\w.-]+)/.exec(bare)?.[1]?.toLowerCase();
    if (root === 'ead')
        return 'ead_xml';
    if (root === 'eac-cpf')
        return 'eac_xml';
    if ((root === 'collection' || root === 'record') && /loc\.gov\/MARC21\/slim/i.test(bare)) {
        return /<(?:[\w.-]+:)?leader[^>]*>.{6}z/.test(bare) ? 'marcxml_auth_agent' : 'marcxml';
    }
    return /\.xml$/i.test(name) && root === undefined ? 'ead_xml' : null;
}
