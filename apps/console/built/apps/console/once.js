import { isAway } from './asking.js';
import { ServiceError } from '../../libs/client/errors.js';
export const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
export const underKey = (key) => ({ 'idempotency-key': key });
const longestMs = 60_000;
export function mayBeDone(error, at) {
    if (isAway(error))
        return true;
    const isUnderWay = error instanceof ServiceError && error.status === 409 && /Idempotency-Key/.test(String(error.error));
    return isUnderWay && Date.now() - at < longestMs;
}
