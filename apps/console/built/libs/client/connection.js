import { isObject, textOf } from '../domain/json.js';
import { ConnectionLost, LoginRefused, NoCredentials, ServiceError, SessionGone, UnexpectedReply } from './errors.js';
import { isRepeatable, pause, usualRetries, waitBefore } from './retries.js';
export function openConnection(options) {
    const url = options.url.replace(/\/+$/, '');
    const user = options.user ?? 'admin';
    const header = options.sessionHeader ?? 'x-service-session';
    const retries = { ...usualRetries, ...options.retries };
    let token = options.session;
    let isOwn = false;
    let pending;
    const login = (isLong = false) => {
        if (token !== undefined)
            return Promise.resolve(token);
        pending ??= makeSession(isLong).finally(() => {
            pending = undefined;
        });
        return pending;
    };
    const makeSession = async (isLong) => {
        const { password } = options;
        if (password === undefined)
            throw new NoCredentials(`No password for ${user} at ${url}, and no session.`);
        const path = `/users/${encodeURIComponent(user)}/login`;
        const body = new URLSearchParams({ password, expiring: isLong ? 'false' : 'true' });
        const init = { method: 'POST', body, redirect: 'manual', ...signalOf(options.signal) };
        const reply = await repeated({
            asked: `POST ${path}`,
            canRepeat: true,
            headers: new Headers(),
            isPublic: true,
            signal: options.signal,
            send: () => fetch(`${url}${path}`, init),
        }).catch((error) => {
            throw error instanceof ServiceError && error.status === 403
                ? new LoginRefused(`POST ${path}`, 403, error.body)
                : error;
        });
        const answer = await readJson(reply, url, options.signal);
        const session = isObject(answer) ? textOf(answer, 'session') : undefined;
        if (session === undefined)
            throw new UnexpectedReply(`${url} gave no session: is it a Muniment?`, reply.status);
        isOwn = true;
        token = session;
        return session;
    };
    const repeated = async ({ asked, canRepeat, headers, isPublic, signal, send }) => {
        let hasNewSession = false;
        for (let repeats = 0;;) {
            const session = isPublic || options.csrfToken !== undefined ? undefined : await login();
            if (options.csrfToken !== undefined && !isPublic)
                headers.set('x-csrf-token', options.csrfToken());
            if (session !== undefined)
                headers.set(header, session);
            const outcome = await trySending(send, url, signal);
            if (outcome instanceof Response && outcome.ok)
                return outcome;
            const wait = canRepeat ? waitAfter(outcome, repeats++, retries) : null;
            if (wait !== null) {
                if (outcome instanceof Response)
                    await outcome.body?.cancel();
                await pause(wait, signal);
                continue;
            }
            if (outcome instanceof ConnectionLost)
                throw outcome;
            const failure = new ServiceError(asked, outcome.status, await readJson(outcome, url, signal));
            if (failure.status !== 412 || failure.code?.startsWith('SESSION_') !== true)
                throw failure;
            if (hasNewSession || options.password === undefined)
                throw new SessionGone(asked, 412, failure.body);
            if (token === session)
                token = undefined;
            hasNewSession = true;
        }
    };
    const send = (path, sending = {}) => {
        const method = sending.method ?? 'GET';
        const signal = sending.signal ?? options.signal;
        const headers = new Headers(sending.headers);
        const address = `${url}${path}${queryText(sending.query)}`;
        return repeated({
            asked: `${method} ${path}`,
            canRepeat: isRepeatable(method, headers),
            headers,
            isPublic: sending.isPublic === true,
            signal,
            send: () => fetch(address, { method, redirect: 'manual', ...signalOf(signal), ...bodyOf(sending, headers), headers }),
        });
    };
    return {
        url,
        user,
        send,
        ask: async (path, sending) => readJson(await send(path, sending), url, sending?.signal ?? options.signal),
        fetch: (request) => {
            const headers = new Headers(request.headers);
            const { method, signal } = request;
            const stop = options.signal === undefined ? signal : AbortSignal.any([signal, options.signal]);
            return repeated({
                asked: `${method} ${new URL(request.url).pathname}`,
                canRepeat: isRepeatable(method, headers),
                headers,
                isPublic: false,
                signal: stop,
                send: () => fetch(request.clone(), { headers, signal: stop, redirect: 'manual' }),
            });
        },
        login,
        close: async () => {
            if (!isOwn || token === undefined)
                return;
            await fetch(`${url}/logout`, {
                method: 'POST',
                headers: { [header]: token },
                signal: AbortSignal.timeout(2000),
            }).then((response) => response.body?.cancel(), () => undefined);
            token = undefined;
            isOwn = false;
        },
    };
}
export async function* readPieces(response, url, signal) {
    try {
        yield* response.body ?? [];
    }
    catch (error) {
        throw signal?.aborted === true ? signal.reason : new ConnectionLost(url, error);
    }
}
async function trySending(send, url, signal) {
    try {
        return await send();
    }
    catch (error) {
        if (signal?.aborted === true)
            throw signal.reason;
        return new ConnectionLost(url, error);
    }
}
function waitAfter(outcome, repeat, retries) {
    if (outcome instanceof ConnectionLost)
        return retries.whenLost ? waitBefore(repeat, null, retries, Date.now()) : null;
    if (outcome.status !== 429 && outcome.status !== 503)
        return null;
    return waitBefore(repeat, outcome.headers.get('retry-after'), retries, Date.now());
}
const signalOf = (signal) => signal === undefined ? {} : { signal };
function bodyOf({ json, form, body }, headers) {
    if (json !== undefined) {
        headers.set('content-type', 'application/json');
        return { body: JSON.stringify(json) };
    }
    if (form !== undefined)
        return { body: new URLSearchParams(form) };
    if (body === undefined)
        return {};
    if (body.contentType !== undefined)
        headers.set('content-type', body.contentType);
    return { body: body.bytes(), duplex: 'half', redirect: 'error', window: null };
}
export function queryText(query = {}) {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
        if (value === undefined)
            continue;
        if (typeof value === 'object')
            for (const item of value)
                search.append(`${name}[]`, item);
        else
            search.append(name, String(value));
    }
    return search.size === 0 ? '' : `?${search.toString()}`;
}
async function readJson(response, url, signal) {
    const text = await response.text().catch((error) => {
        throw signal?.aborted === true ? signal.reason : new ConnectionLost(url, error);
    });
    try {
        return JSON.parse(text);
    }
    catch {
        const goesTo = response.headers.get('location');
        if (!response.ok)
            return { error: `${response.status} ${response.statusText}${goesTo === null ? '' : `, to ${goesTo}`}` };
        throw new UnexpectedReply(`${url} answered, but not in JSON: is it a Muniment?`, response.status);
    }
}
