import { isObject, objectOf, textOf } from '../../../libs/domain/json.js';
import { user } from '../session.js';
export const placeOfDraft = (address) => `muniment.draft ${user.value?.username ?? ''} ${address}`;
export function readDraft(place) {
    const draft = parsed(localStorage.getItem(place));
    const [base, value, at] = [objectOf(draft, 'base'), objectOf(draft, 'value'), textOf(draft, 'at')];
    if (base === undefined || value === undefined || at === undefined)
        return null;
    return { base, value, at, unanswered: unansweredIn(objectOf(draft, 'unanswered')) };
}
function unansweredIn(found) {
    const [key, value, at] = [textOf(found, 'key'), objectOf(found, 'value'), found?.['at']];
    return key === undefined || value === undefined || typeof at !== 'number' ? null : { key, value, at };
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
export function keepDraft(place, base, value, unanswered = null) {
    try {
        const draft = { base, value, at: new Date().toISOString(), unanswered };
        localStorage.setItem(place, JSON.stringify(draft));
        return true;
    }
    catch {
        return false;
    }
}
export const dropDraft = (place) => localStorage.removeItem(place);
