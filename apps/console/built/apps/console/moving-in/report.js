import { isObject, objectOf, objectsOf, textOf, textsOf } from '../../../libs/domain/json.js';
import { differing } from './differing.js';
export const sorts = ['missing', 'extra', 'field', 'order', 'deleted', 'unread', 'document', 'search'];
export class NoReport extends Error {
    name = 'NoReport';
    why;
    constructor(why) {
        super(why);
        this.why = why;
    }
}
export const mostKept = 100_000;
const mostCharacters = 60_000_000;
const mostOfValue = 20_000;
const context = 500;
const mostOfLine = 16_000_000;
const mostBroken = 20;
const patience = 1000;
export async function readReport(pieces) {
    const lines = new Lines();
    const report = new Gathering();
    for await (const piece of pieces)
        for (const line of lines.take(piece))
            report.take(line);
    for (const line of lines.end())
        report.take(line);
    return report.end();
}
class Lines {
    #pieces = [];
    #length = 0;
    #number = 1;
    *take(piece) {
        let from = 0;
        for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', from)) {
            this.#add(piece.slice(from, at));
            yield this.#line();
            from = at + 1;
        }
        this.#add(piece.slice(from));
    }
    *end() {
        if (this.#length > 0)
            yield this.#line();
    }
    #add(text) {
        this.#length += text.length;
        if (this.#length <= mostOfLine)
            this.#pieces.push(text);
        else
            this.#pieces = [];
    }
    #line() {
        const line = { number: this.#number++, text: this.#length > mostOfLine ? null : this.#pieces.join('') };
        this.#pieces = [];
        this.#length = 0;
        return line;
    }
}
class Gathering {
    #kept = [];
    #counts = new Map();
    #broken = [];
    #brokenTotal = 0;
    #characters = 0;
    #total = 0;
    #verdict = null;
    #isPage = false;
    take({ number, text }) {
        if (text === null)
            return this.#tellBroken({ line: number, why: 'long' });
        if (text.trim() === '')
            return;
        const value = parsed(text);
        if (value === undefined) {
            if (number === 1)
                this.#isPage = /^\s*<!doctype html/i.test(text);
            return this.#tellBroken({ line: number, why: 'json' });
        }
        const verdict = verdictOf(value);
        if (verdict !== null) {
            this.#verdict = verdict;
            for (const shown of objectsOf(isObject(value) ? value : {}, 'shown'))
                this.#keep(differenceOf(shown));
            return;
        }
        const difference = isObject(value) ? differenceOf(value) : null;
        if (difference === null)
            this.#tellBroken({ line: number, why: 'unknown' });
        else
            this.#keep(difference);
    }
    end() {
        const isNothing = this.#total === 0 && this.#verdict === null;
        if (isNothing)
            throw new NoReport(this.#brokenTotal === 0 ? 'empty' : this.#isPage ? 'page' : 'other');
        const told = [...(this.#verdict?.differences.values() ?? [])].reduce((sum, count) => sum + count, 0);
        return {
            kept: this.#kept,
            counts: this.#counts,
            total: Math.max(told, this.#total),
            verdict: this.#verdict,
            broken: this.#broken,
            brokenTotal: this.#brokenTotal,
        };
    }
    #keep(difference) {
        if (difference === null)
            return;
        this.#total++;
        const ofList = this.#counts.get(difference.list) ?? new Map();
        this.#counts.set(difference.list, ofList.set(difference.sort, (ofList.get(difference.sort) ?? 0) + 1));
        this.#characters += (difference.source?.length ?? 0) + (difference.here?.length ?? 0);
        if (this.#kept.length < mostKept && this.#characters < mostCharacters)
            this.#kept.push(difference);
    }
    #tellBroken(broken) {
        this.#brokenTotal++;
        if (this.#broken.length < mostBroken)
            this.#broken.push(broken);
        if (this.#isPage || (this.#total === 0 && this.#verdict === null && this.#brokenTotal >= patience))
            throw new NoReport(this.#isPage ? 'page' : 'other');
    }
}
function parsed(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
function verdictOf(value) {
    if (!isObject(value) || typeof value['same'] !== 'boolean' || !Array.isArray(value['lists']))
        return null;
    return {
        source: textOf(value, 'source') ?? '',
        here: textOf(value, 'here') ?? '',
        same: value['same'],
        lists: objectsOf(value, 'lists').map((each) => ({
            list: textOf(each, 'list') ?? '',
            source: numberOf(each['source']),
            here: numberOf(each['here']),
            differing: numberOf(each['differing']),
        })),
        isSampled: isObject(value['samples']),
        differences: countsOf(objectOf(value, 'differences')),
        allowed: countsOf(objectOf(value, 'allowed')),
    };
}
const numberOf = (value) => (typeof value === 'number' ? value : 0);
const countsOf = (counts) => new Map(Object.entries(counts ?? {}).map(([name, count]) => [name, numberOf(count)]));
const isSort = (what) => sorts.some((sort) => sort === what);
function differenceOf(line) {
    const [sort, uri] = [textOf(line, 'what'), textOf(line, 'uri')];
    if (!isSort(sort) || uri === undefined)
        return null;
    const [source, here] = cut(...valuesOf(sort, line));
    return { sort, uri, list: uri.replace(/\/\d{1,15}$/, ''), ...placeOf(sort, line), source, here };
}
function placeOf(sort, line) {
    const path = textOf(line, 'path') ?? '';
    if (sort === 'field')
        return { property: path.replace(/\/\d+(?=\/|$)/g, '/*'), place: path };
    if (sort === 'document') {
        const format = textOf(line, 'document') ?? '';
        return { property: `${format} ${path.replace(/\[\d+\]/g, '')}`, place: `${format} ${path}` };
    }
    if (sort === 'search')
        return { property: textOf(line, 'type') ?? '', place: textOf(line, 'query') ?? '' };
    return { property: '', place: '' };
}
function valuesOf(sort, line) {
    if (sort === 'unread') {
        const reason = textOf(line, 'reason') ?? '';
        return textOf(line, 'side') === 'here' ? [null, reason] : [reason, null];
    }
    if (sort === 'search')
        return [
            [numberOf(line['source']), ...textsOf(line, 'onlyThere')].join('\n'),
            [numberOf(line['here']), ...textsOf(line, 'onlyHere')].join('\n'),
        ];
    return [asText(line['source']), asText(line['here'])];
}
function asText(value) {
    if (value === undefined || value === null)
        return null;
    if (typeof value === 'string')
        return value;
    return Array.isArray(value) && !value.some((each) => typeof each === 'object')
        ? value.join(', ')
        : JSON.stringify(value);
}
function cut(source, here) {
    if (Math.max(source?.length ?? 0, here?.length ?? 0) <= mostOfValue)
        return [source, here];
    const from = Math.max(0, differing(source ?? '', here ?? '').before.length - context);
    const part = (text) => text === null
        ? null
        : `${from > 0 ? '…' : ''}${text.slice(from, from + mostOfValue)}${text.length > from + mostOfValue ? '…' : ''}`;
    return [part(source), part(here)];
}
