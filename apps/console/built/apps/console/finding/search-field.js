import { jsx as _jsx } from "preact/jsx-runtime";
import { textOf } from '../../../libs/domain/json.js';
import { go, recordAddress } from '../address.js';
import { t } from '../words.js';
import { Combobox } from './combobox.js';
export function SearchField({ typed, onType, repository }) {
    return (_jsx(Combobox, { id: "search", label: t('search'), typed: typed, onType: onType, onChoose: (row) => go(recordAddress(textOf(row, 'uri') ?? '')), repository: repository, placeholder: t('search_hint') }));
}
