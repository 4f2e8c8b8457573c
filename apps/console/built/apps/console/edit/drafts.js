import { isObject, objectOf, textOf } from '../../../libs/domain/json.js';
import { user } from '../session.js';
export const placeOfDraft = (address) => `muniment.draft ${user.value?.username ?? ''} ${address}`;
export function readDraft(place) {
    const draft = parsed(localStorage.getItem(place));
    const [base, value, at] = [objectOf(draft, 'base'), objectOf(draft, 'value'), textOf(draft, 'at')];
    return base === undefined || value === undefined || at === undefined ? null : { base, value, at };
}
function parsed(text) {
    try {
        const value = JSON.parse(text ?? 'null');
        return isObject(value) ? value : undefined;
    }
    catch {
        return undefined;
    }
}
export function keepDraft(place, base, value) {
    try {
        localStorage.setItem(place, JSON.stringify({ base, value, at: new Date().toISOString() }));
        return true;
    }
    catch {
        return false;
    }
}
export const dropDraft = (place) => localStorage.removeItem(place);
