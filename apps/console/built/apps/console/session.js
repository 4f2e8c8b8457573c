import { signal } from '@preact/signals';
import { openConnection } from '../../libs/client/connection.js';
import { SessionGone } from '../../libs/client/errors.js';
import { isObject, objectOf, textOf, textsOf } from '../../libs/domain/json.js';
export const user = signal(undefined);
export const hasEnded = signal(false);
let csrf = 'none';
let waiting = [];
let asking;
const path = '/console/session';
const plain = openConnection({ url: location.origin, csrfToken: () => csrf });
const withSession = async (work) => {
    for (;;) {
        try {
            return await work();
        }
        catch (error) {
            if (!(error instanceof SessionGone))
                throw error;
        }
        asking ??= renew().finally(() => {
            asking = undefined;
        });
        await asking;
    }
};
export const service = {
    ...plain,
    send: (to, sending) => withSession(() => plain.send(to, sending)),
    ask: (to, sending) => withSession(() => plain.ask(to, sending)),
};
export async function readSession() {
    const state = await plain.ask(path, { isPublic: true });
    takeToken(state);
    user.value = userIn(state);
}
async function renew() {
    const state = await plain.ask(path, { isPublic: true });
    if (isSameUser(userIn(state))) {
        takeToken(state);
        return;
    }
    hasEnded.value = true;
    await new Promise((resolve) => {
        waiting.push(resolve);
    });
}
export async function logIn(username, password) {
    const state = await plain.ask(path, {
        method: 'POST',
        form: { username, password },
        headers: { 'x-csrf-token': 'none' },
        isPublic: true,
    });
    const found = userIn(state);
    if (hasEnded.value && !isSameUser(found)) {
        location.reload();
        return;
    }
    takeToken(state);
    user.value = found;
    hasEnded.value = false;
    for (const goOn of waiting)
        goOn();
    waiting = [];
}
export async function logOut() {
    await plain.ask(path, { method: 'DELETE' }).catch((error) => {
        if (!(error instanceof SessionGone))
            throw error;
    });
    csrf = 'none';
    user.value = null;
}
const isSameUser = (found) => found !== null && found.username === user.value?.username;
function takeToken(state) {
    csrf = (isObject(state) ? textOf(state, 'csrf_token') : undefined) ?? csrf;
}
function userIn(state) {
    const record = isObject(state) ? objectOf(state, 'user') : undefined;
    if (record === undefined)
        return null;
    return {
        username: textOf(record, 'username') ?? '',
        name: textOf(record, 'name') ?? '',
        permissions: objectOf(record, 'permissions') ?? {},
    };
}
export const mayAnywhere = (...codes) => Object.keys(user.value?.permissions ?? {}).some((scope) => codes.every((code) => may(code, scope)));
export function may(code, repository) {
    const permissions = user.value?.permissions ?? {};
    const scopes = repository === null ? ['/repositories/1', '_service'] : [repository, '/repositories/1', '_service'];
    return scopes.some((scope) => textsOf(permissions, scope).includes(code));
}
