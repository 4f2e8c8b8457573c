export const usualRetries = { most: 4, longestWaitMs: 30_000, whenLost: true };
const firstWaitMs = 250;
export function isRepeatable(method, headers) {
    return method === 'GET' || method === 'HEAD' || headers.has('idempotency-key');
}
export function waitBefore(repeat, retryAfter, retries, now) {
    if (repeat >= retries.most)
        return null;
    const asked = retryAfter === null ? null : secondsOrDate(retryAfter, now);
    const wait = asked ?? firstWaitMs * 2 ** repeat;
    if (wait <= retries.longestWaitMs)
        return wait;
    return asked === null ? retries.longestWaitMs : null;
}
export function secondsOrDate(text, now) {
    const value = text.trim();
    if (/^\d+$/.test(value))
        return Number(value) * 1000;
    const date = Date.parse(value);
    return Number.isNaN(date) ? null : Math.max(0, date - now);
}
export async function pause(ms, signal) {
    await new Promise((resolve, reject) => {
        const stop = () => {
            clearTimeout(timer);
            reject(signal?.reason);
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener('abort', stop);
            resolve();
        }, ms);
        if (signal?.aborted === true)
            stop();
        else
            signal?.addEventListener('abort', stop, { once: true });
    });
}
