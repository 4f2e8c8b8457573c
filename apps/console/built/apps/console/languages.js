import { jsx as _jsx } from "preact/jsx-runtime";
import { language, languageNames, speak, t } from './words.js';
export function Languages() {
    return (_jsx("select", { "aria-label": t('language'), value: language.value, onChange: (event) => speak(event.currentTarget.value), children: languageNames.map(([code, name]) => (_jsx("option", { value: code, lang: code, children: name }, code))) }));
}
