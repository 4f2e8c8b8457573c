import { ServiceError } from '../../../libs/client/errors.js';
import { isObject, textOf } from '../../../libs/domain/json.js';
import { isAway } from '../asking.js';
import { mayBeDone, newKey, underKey } from '../once.js';
import { resolved } from '../record/resolved.js';
import { service, user } from '../session.js';
import { bare, changedBetween, contains, patchOf } from './values.js';
export async function sendNew(address, typed, open) {
    const before = open.unanswered;
    const { key, value, at } = before ?? { key: newKey(), value: typed, at: Date.now() };
    open.unanswered = { key, value, at };
    open.keep();
    try {
        const answer = await service.ask(address, { method: 'POST', json: bare(value), headers: underKey(key) });
        open.unanswered = null;
        return { ...savedIn(answer, address), sent: value };
    }
    catch (error) {
        if (mayBeDone(error, at))
            throw error;
        open.unanswered = null;
        open.keep();
        if (before !== null && changedBetween(Object.keys({ ...value, ...typed }), value, typed).length > 0)
            return sendNew(address, typed, open);
        throw error;
    }
}
export async function sendChanges(address, base, names, value, open) {
    const patch = { ...patchOf(names, base, value), lock_version: base['lock_version'] ?? null };
    try {
        const answer = await service.ask(address, {
            method: 'PATCH',
            body: { contentType: 'application/merge-patch+json', bytes: () => JSON.stringify(patch) },
        });
        open.change = null;
        return { ...savedIn(answer, address), uri: address, sent: value };
    }
    catch (error) {
        const lost = open.change;
        open.change = isAway(error) ? value : null;
        if (!(error instanceof ServiceError) || error.status !== 409)
            throw error;
        const now = await service.ask(address, { query: { resolve: resolved } });
        if (!isObject(now) || now['lock_version'] === base['lock_version'])
            throw error;
        return lost !== null && isOwnSave(base, now, names, lost)
            ? { uri: address, lockVersion: now['lock_version'] ?? null, sent: lost }
            : { theirs: now };
    }
}
function isOwnSave(base, now, names, value) {
    const byMe = changedBetween(names, base, value);
    return (now['lock_version'] === Number(base['lock_version']) + 1 &&
        textOf(now, 'last_modified_by') === user.value?.username &&
        changedBetween(names, base, now).every((name) => byMe.includes(name)) &&
        byMe.every((name) => contains(now[name], value[name])));
}
const savedIn = (answer, address) => ({
    uri: (isObject(answer) ? textOf(answer, 'uri') : undefined) ?? address,
    lockVersion: (isObject(answer) ? answer['lock_version'] : undefined) ?? null,
});
