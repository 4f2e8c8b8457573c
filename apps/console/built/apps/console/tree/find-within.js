import { jsx as _jsx } from "preact/jsx-runtime";
import { useState } from 'preact/hooks';
import { isObject, objectsOf, textOf } from '../../../libs/domain/json.js';
import { useAsked } from '../asking.js';
import { Combobox } from '../finding/combobox.js';
import { b } from './words.js';
const mostShown = 10;
export function FindWithin({ uri, kind, onFound }) {
    const [typed, setTyped] = useState('');
    const repository = /^\/repositories\/\d+/.exec(uri)?.[0] ?? null;
    const useFound = (words) => {
        const { value } = useAsked(words === null ? null : `${repository ?? ''}/search`, {
            q: `${(words ?? '').replaceAll(/[^\p{L}\p{N}\s]+/gu, ' ').trim()}*`,
            page: 1,
            page_size: mostShown,
            fields: ['id', 'uri', 'title', 'primary_type'],
            filter_term: [JSON.stringify({ [kind]: uri })],
        });
        return words !== null && isObject(value) ? objectsOf(value, 'results') : [];
    };
    return (_jsx(Combobox, { id: "find-within", label: b('find'), typed: typed, onType: setTyped, onChoose: (row) => {
            setTyped('');
            onFound(textOf(row, 'uri') ?? '');
        }, repository: repository, useFound: useFound }));
}
