import { isObject, textOf } from '../domain/json.js';
export class ClientError extends Error {
    name = 'ClientError';
}
export class ServiceError extends ClientError {
    name = 'ServiceError';
    status;
    code;
    body;
    requestId;
    constructor(asked, status, body) {
        super(`${asked}: ${status} ${wordsOf(body)}`);
        this.status = status;
        this.body = body;
        this.code = isObject(body) ? textOf(body, 'code') : undefined;
        this.requestId = isObject(body) ? textOf(body, 'request_id') : undefined;
    }
    get error() {
        return isObject(this.body) ? (this.body['error'] ?? null) : null;
    }
}
export class LoginRefused extends ServiceError {
    name = 'LoginRefused';
}
export class SessionGone extends ServiceError {
    name = 'SessionGone';
}
export class NoCredentials extends ClientError {
    name = 'NoCredentials';
}
export class ConnectionLost extends ClientError {
    name = 'ConnectionLost';
    code;
    constructor(url, cause) {
        const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
        super(`The connection to ${url} failed: ${inner instanceof Error ? inner.message : String(inner)}`, { cause });
        this.code = inner instanceof Error && 'code' in inner ? String(inner.code) : '';
    }
}
export class UnexpectedReply extends ClientError {
    name = 'UnexpectedReply';
    status;
    constructor(message, status) {
        super(message);
        this.status = status;
    }
}
function wordsOf(body) {
    const error = isObject(body) ? body['error'] : undefined;
    if (typeof error === 'string')
        return error;
    if (!isObject(error))
        return JSON.stringify(error ?? body);
    return Object.entries(error)
        .map(([property, says]) => `${property}: ${Array.isArray(says) ? says.join('; ') : JSON.stringify(says)}`)
        .join(', ');
}
