import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useState } from 'preact/hooks';
import { isObject, textOf } from '../../../libs/domain/json.js';
import { recordAddress } from '../address.js';
import { Fault } from '../asking.js';
import { download } from '../download.js';
import { useGoingOn } from '../going-on.js';
import { chosenRepository } from '../repositories.js';
import { said } from '../saying.js';
import { service } from '../session.js';
import { t } from '../words.js';
import { addressOf, documentsOf, repositoryOf } from './documents.js';
export function Export({ kind, uri }) {
    const [isWhole, setWhole] = useState(false);
    const [isSaving, setSaving] = useState(false);
    const goOn = useGoingOn();
    const [fault, setFault] = useState(null);
    const documents = documentsOf[kind] ?? [];
    const repository = repositoryOf(uri, chosenRepository(true));
    if (documents.length === 0 || repository === null)
        return null;
    const save = async (document) => {
        setSaving(true);
        setFault(null);
        said.value = t('waiting');
        try {
            const address = addressOf(document, uri, repository, isWhole);
            const about = await service.ask(address.replace(/(?=\?|$)/, '/metadata'));
            const job = await download(address, isObject(about) ? textOf(about, 'filename') : undefined);
            if (job !== null)
                goOn(recordAddress(job));
            else
                said.value = t('export_saved');
        }
        catch (error) {
            said.value = '';
            setFault(error);
        }
        setSaving(false);
    };
    return (_jsxs(_Fragment, { children: [_jsxs("details", { class: "new export", children: [_jsx("summary", { children: t('export') }), _jsxs("div", { children: [_jsxs("label", { children: [_jsx("input", { type: "checkbox", checked: isWhole, onChange: (event) => setWhole(event.currentTarget.checked) }), ' ', t('export_unpublished')] }), _jsx("ul", { children: documents.map((document) => (_jsx("li", { children: _jsx("button", { type: "button", class: "plain", disabled: isSaving, onClick: () => void save(document), children: document.name === 'container_labels' ? t('container_labels') : document.name }) }, document.name))) })] })] }), isSaving && _jsx("span", { class: "soft", children: t('waiting') }), fault !== null && _jsx(Fault, { fault: fault })] }));
}
