import { isObject, objectOf, textOf } from '../domain/json.js';
import { readPieces } from './connection.js';
import { ClientError, ConnectionLost, ServiceError } from './errors.js';
import { pause } from './retries.js';
export class JobFailed extends ClientError {
    name = 'JobFailed';
    end;
    constructor(end) {
        super([`${end.uri}: ${end.status}`, ...end.errors].join('\n  '));
        this.end = end;
    }
}
const soonMs = 150;
const lateMs = 1000;
const patienceMs = 60_000;
const endingMs = 5000;
const lastLinesKept = 20;
const mostErrorLines = 200;
const goesOn = new Set(['queued', 'running']);
export async function awaitJob(connection, uri, following = {}) {
    const { onProgress, onLine, onLost, signal } = following;
    const log = makeLog(onLine ?? (() => undefined));
    const isEnding = makeEnding();
    let waitMs = soonMs;
    let lostAt;
    for (;;) {
        try {
            const reply = await connection.ask(uri, signal === undefined ? {} : { signal });
            const state = stateOf(reply);
            onProgress?.(state);
            const hasEnded = !goesOn.has(state.status) && !isEnding(reply);
            const isWanted = onLine !== undefined || (hasEnded && state.status !== 'completed');
            const grown = isWanted && (await readLog(connection, uri, log, signal));
            lostAt = undefined;
            if (hasEnded) {
                log.end();
                const errors = state.status === 'completed' ? [] : log.errors();
                const end = { uri, status: state.status, errors };
                if (state.status !== 'completed')
                    throw new JobFailed(end);
                return end;
            }
            waitMs = grown || state.status === 'canceled' ? soonMs : Math.min(lateMs, waitMs * 1.5);
        }
        catch (error) {
            if (!isAway(error))
                throw error;
            lostAt ??= performance.now();
            if (performance.now() - lostAt > patienceMs)
                throw error;
            onLost?.(error);
            waitMs = lateMs;
        }
        await pause(waitMs, signal);
    }
}
const isAway = (error) => error instanceof ConnectionLost || (error instanceof ServiceError && [502, 503, 504].includes(error.status));
function makeEnding() {
    let canceledAt;
    return (reply) => {
        const job = isObject(reply) ? reply : {};
        if (job['status'] !== 'canceled' || textOf(job, 'time_finished') !== undefined)
            return false;
        canceledAt ??= performance.now();
        return performance.now() - canceledAt < endingMs;
    };
}
function stateOf(reply) {
    const job = isObject(reply) ? reply : {};
    const position = job['queue_position'];
    return {
        status: textOf(job, 'status') ?? '',
        queuePosition: typeof position === 'number' ? position : null,
        phase: phaseOf(job),
    };
}
function phaseOf(job) {
    const progress = objectOf(job, 'progress');
    const label = textOf(progress, 'label');
    const numberOf = (name) => (typeof progress?.[name] === 'number' ? progress[name] : null);
    return label === undefined
        ? null
        : { label, done: numberOf('done'), total: numberOf('total'), secondsLeft: numberOf('seconds_left') };
}
function makeLog(onLine) {
    const decoder = new TextDecoder();
    let bytes = 0;
    let rest = '';
    const last = [];
    let block;
    const take = (line) => {
        onLine(line);
        if (line.trim() === '')
            return;
        if (/IMPORT ERROR|The following errors were found/.test(line))
            block ??= [];
        else if (block !== undefined && block.length < mostErrorLines && !/^[!=\s]*$/.test(line))
            block.push(line.trim());
        last.push(line.trim());
        if (last.length > lastLinesKept)
            last.shift();
    };
    return {
        bytes: () => bytes,
        push: (piece) => {
            bytes += piece.byteLength;
            const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
            rest = lines.pop() ?? '';
            for (const line of lines)
                take(line);
        },
        end: () => {
            if (rest !== '')
                take(rest);
            rest = '';
        },
        errors: () => block ?? last.slice(-5),
    };
}
async function readLog(connection, uri, log, signal) {
    const before = log.bytes();
    const response = await connection.send(`${uri}/log`, {
        query: { offset: before },
        ...(signal === undefined ? {} : { signal }),
    });
    for await (const piece of readPieces(response, connection.url, signal))
        log.push(piece);
    return log.bytes() > before;
}
