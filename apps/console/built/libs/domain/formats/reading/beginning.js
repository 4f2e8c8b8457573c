export const beginningBytes = 65_536;
export function readBeginning(bytes) {
    const text = decoded(bytes).replace(/^\ufeff/, '');
    if (!text.trimStart().startsWith('<'))
        return { elements: [], headings: firstRow(text), text };
    const bare = text
        .replace(/<\?[\s\S]*?\?>|<!--[\s\S]*?(?:-->|$)/g, '')
        .replace(/<!DOCTYPE[^[>]*(\[[\s\S]*?\]\s*)?>/i, '');
    const elements = Array.from(bare.matchAll(/<(?:[\w.-]+:)?([\w.-]+)/g), ([, name = '']) => name.toLowerCase());
    return { elements, headings: [], text: bare };
}
export function opensWith({ elements }, names) {
    const first = elements.find((element) => documents.has(element));
    return first !== undefined && names.includes(first);
}
const documents = new Set(['ead', 'eac-cpf', 'eac']);
function decoded(bytes) {
    const [first, second] = bytes;
    if (first === 0xff && second === 0xfe)
        return new TextDecoder('utf-16le').decode(bytes);
    if (first === 0xfe && second === 0xff)
        return new TextDecoder('utf-16be').decode(bytes);
    return new TextDecoder('utf-8').decode(bytes);
}
function firstRow(text) {
    const cells = [];
    for (const [, quoted, bare = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|\r|$)/g)) {
        cells.push((quoted?.replaceAll('""', '"') ?? bare).trim());
        if (end === ',')
            continue;
        if (cells.some((cell) => cell !== ''))
            return cells;
        if (end === '')
            return [];
        cells.length = 0;
    }
    return [];
}
