import { jsx as _jsx } from "preact/jsx-runtime";
import { useState } from 'preact/hooks';
import { textOf } from '../../../libs/domain/json.js';
import { valueName } from '../labels.js';
const isMeantToBeSeen = (version) => version['is_representative'] === true ||
    textOf(version, 'use_statement') === 'image-thumbnail' ||
    textOf(version, 'xlink_show_attribute') === 'embed';
function isOwn(address) {
    if (!/^(https?:\/\/|\/(?!\/))/.test(address))
        return false;
    return URL.canParse(address, location.origin) && new URL(address, location.origin).origin === location.origin;
}
const nameOf = (version) => {
    const use = textOf(version, 'use_statement');
    return (textOf(version, 'caption') ??
        (use === undefined ? undefined : valueName('use_statement', use)) ??
        textOf(version, 'file_uri') ??
        '');
};
const isWeb = (address) => /^https?:\/\/\S+$/.test(address);
export function toldBy(version) {
    const address = textOf(version, 'file_uri') ?? '';
    const name = nameOf(version);
    return [
        textOf(version, 'caption') === undefined ? 'use_statement' : 'caption',
        ...(isWeb(address) || isOwn(address) || name === address ? ['file_uri'] : []),
    ];
}
export function FileVersion({ version }) {
    const address = textOf(version, 'file_uri') ?? '';
    const name = nameOf(version);
    const [isBroken, setBroken] = useState(false);
    const isPicture = isOwn(address) && isMeantToBeSeen(version) && !isBroken;
    if (!isOwn(address) && !isWeb(address))
        return _jsx("bdi", { children: name });
    return (_jsx("a", { href: address, rel: "noreferrer", target: "_blank", children: isPicture ? (_jsx("img", { class: "thumbnail", src: address, alt: name, loading: "lazy", onError: () => setBroken(true) })) : (name) }));
}
