// The report of a comparison, as `muniment verify --report FILE` writes it: a difference a line, and the verdict in the last one. What
// `verify --json` prints is read as well: the verdict with its first differences in one line. Pieces of text come in, so a file may be of any size.
import type { Json, JsonObject } from '../../../libs/domain/json.ts';
import { isObject, objectOf, objectsOf, textOf, textsOf } from '../../../libs/domain/json.ts';
import { differing } from './differing.ts';

/** The sorts of differences, in the order in which they are shown. */
export const sorts = ['missing', 'extra', 'field', 'order', 'deleted', 'unread', 'document', 'search'] as const;

/** What a difference is about. */
export type Sort = (typeof sorts)[number];

/** One difference. */
export type Difference = {
  readonly sort: Sort;
  readonly uri: string;
  /** The uri without its number: /repositories/2/resources. */
  readonly list: string;
  /** What is filtered by: the path of a field without positions, a format with its element, the type that was searched; '' where there is none. */
  readonly property: string;
  /** The place itself: notes/0/content/1; of a search its words. */
  readonly place: string;
  /** Texts as they are, everything else as JSON; null: the side has nothing there. Long ones are cut to where they differ. */
  readonly source: string | null;
  readonly here: string | null;
};

/** Records of a list on both sides, and how many of them differ. */
export type ListCount = {
  readonly list: string;
  readonly source: number;
  readonly here: number;
  readonly differing: number;
};

/** What came of the comparison as a whole. */
type Verdict = {
  readonly source: string;
  readonly here: string;
  readonly same: boolean;
  readonly lists: readonly ListCount[];
  /** Whether finding aids, harvesting and searches were compared too. */
  readonly isSampled: boolean;
  /** How many differences of each sort there are. */
  readonly differences: ReadonlyMap<string, number>;
  /** How many records differ in what may differ, by the reason. */
  readonly allowed: ReadonlyMap<string, number>;
};

/** Why a line was not read: it is no JSON, it is none of a report, it is longer than anything a comparison writes. */
type Broken = { readonly line: number; readonly why: 'json' | 'unknown' | 'long' };

/** A report that was read. */
export type Report = {
  /** The first differences. */
  readonly kept: readonly Difference[];
  /** How many there are of each sort in each list. */
  readonly counts: ReadonlyMap<string, ReadonlyMap<Sort, number>>;
  /** How many differences the comparison found, as far as the file tells. */
  readonly total: number;
  /** Null: the comparison was broken off, or a release wrote the file that did not tell. */
  readonly verdict: Verdict | null;
  /** The first lines that could not be read, and how many there are. */
  readonly broken: readonly Broken[];
  readonly brokenTotal: number;
};

/** A file is no report: it is empty, it is the page that `verify --html` writes, or it is something else. */
export class NoReport extends Error {
  override readonly name = 'NoReport';
  readonly why: 'empty' | 'page' | 'other';

  constructor(why: 'empty' | 'page' | 'other') {
    super(why);
    this.why = why;
  }
}

/** Differences that are kept to be looked at: so many, or so many characters of them. */
export const mostKept = 100_000;
const mostCharacters = 60_000_000;
const mostOfValue = 20_000;
// Before the first place where two long texts differ.
const context = 500;
const mostOfLine = 16_000_000;
const mostBroken = 20;
// Of a file that is no report nobody needs to know what is wrong with each line.
const patience = 1000;

/** Reads a report. Fails with NoReport where it is none. */
export async function readReport(pieces: AsyncIterable<string>): Promise<Report> {
  const lines = new Lines();
  const report = new Gathering();
  for await (const piece of pieces) for (const line of lines.take(piece)) report.take(line);
  for (const line of lines.end()) report.take(line);
  return report.end();
}

/** A line with its number, from 1; null: it is too long. */
type Line = { readonly number: number; readonly text: string | null };

/** Cuts text that comes in pieces into lines. */
class Lines {
  #pieces: string[] = [];
  #length = 0;
  #number = 1;

  *take(piece: string): Generator<Line> {
    let from = 0;
    for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', from)) {
      this.#add(piece.slice(from, at));
      yield this.#line();
      from = at + 1;
    }
    this.#add(piece.slice(from));
  }

  *end(): Generator<Line> {
    if (this.#length > 0) yield this.#line();
  }

  #add(text: string): void {
    this.#length += text.length;
    if (this.#length <= mostOfLine) this.#pieces.push(text);
    else this.#pieces = [];
  }

  #line(): Line {
    const line = { number: this.#number++, text: this.#length > mostOfLine ? null : this.#pieces.join('') };
    this.#pieces = [];
    this.#length = 0;
    return line;
  }
}

/** What is gathered of the lines. */
class Gathering {
  readonly #kept: Difference[] = [];
  readonly #counts = new Map<string, Map<Sort, number>>();
  readonly #broken: Broken[] = [];
  #brokenTotal = 0;
  #characters = 0;
  #total = 0;
  #verdict: Verdict | null = null;
  #isPage = false;

  take({ number, text }: Line): void {
    if (text === null) return this.#tellBroken({ line: number, why: 'long' });
    if (text.trim() === '') return;
    const value = parsed(text);
    if (value === undefined) {
      if (number === 1) this.#isPage = /^\s*<!doctype html/i.test(text);
      return this.#tellBroken({ line: number, why: 'json' });
    }
    const verdict = verdictOf(value);
    if (verdict !== null) {
      this.#verdict = verdict;
      for (const shown of objectsOf(isObject(value) ? value : {}, 'shown')) this.#keep(differenceOf(shown));
      return;
    }
    const difference = isObject(value) ? differenceOf(value) : null;
    if (difference === null) this.#tellBroken({ line: number, why: 'unknown' });
    else this.#keep(difference);
  }

  end(): Report {
    const isNothing = this.#total === 0 && this.#verdict === null;
    if (isNothing) throw new NoReport(this.#brokenTotal === 0 ? 'empty' : this.#isPage ? 'page' : 'other');
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

  #keep(difference: Difference | null): void {
    if (difference === null) return;
    this.#total++;
    const ofList = this.#counts.get(difference.list) ?? new Map<Sort, number>();
    this.#counts.set(difference.list, ofList.set(difference.sort, (ofList.get(difference.sort) ?? 0) + 1));
    this.#characters += (difference.source?.length ?? 0) + (difference.here?.length ?? 0);
    if (this.#kept.length < mostKept && this.#characters < mostCharacters) this.#kept.push(difference);
  }

  #tellBroken(broken: Broken): void {
    this.#brokenTotal++;
    if (this.#broken.length < mostBroken) this.#broken.push(broken);
    if (this.#isPage || (this.#total === 0 && this.#verdict === null && this.#brokenTotal >= patience))
      throw new NoReport(this.#isPage ? 'page' : 'other');
  }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The last line of a report, or what `--json` prints; null where a value is neither. */
function verdictOf(value: Json): Verdict | null {
  if (!isObject(value) || typeof value['same'] !== 'boolean' || !Array.isArray(value['lists'])) return null;
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

const numberOf = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);

const countsOf = (counts: JsonObject | undefined): ReadonlyMap<string, number> =>
  new Map(Object.entries(counts ?? {}).map(([name, count]) => [name, numberOf(count)]));

const isSort = (what: string | undefined): what is Sort => sorts.some((sort) => sort === what);

/** A difference as a line tells it; null where it is none. */
function differenceOf(line: JsonObject): Difference | null {
  const [sort, uri] = [textOf(line, 'what'), textOf(line, 'uri')];
  if (!isSort(sort) || uri === undefined) return null;
  const [source, here] = cut(...valuesOf(sort, line));
  return { sort, uri, list: uri.replace(/\/\d{1,15}$/, ''), ...placeOf(sort, line), source, here };
}

function placeOf(sort: Sort, line: JsonObject): Pick<Difference, 'property' | 'place'> {
  const path = textOf(line, 'path') ?? '';
  if (sort === 'field') return { property: path.replace(/\/\d+(?=\/|$)/g, '/*'), place: path };
  if (sort === 'document') {
    const format = textOf(line, 'document') ?? '';
    return { property: `${format} ${path.replace(/\[\d+\]/g, '')}`, place: `${format} ${path}` };
  }
  if (sort === 'search') return { property: textOf(line, 'type') ?? '', place: textOf(line, 'query') ?? '' };
  return { property: '', place: '' };
}

type Sides = readonly [source: string | null, here: string | null];

function valuesOf(sort: Sort, line: JsonObject): Sides {
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

function asText(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  return Array.isArray(value) && !value.some((each) => typeof each === 'object')
    ? value.join(', ')
    : JSON.stringify(value);
}

/** Two long texts from shortly before the first place where they differ. */
function cut(source: string | null, here: string | null): Sides {
  if (Math.max(source?.length ?? 0, here?.length ?? 0) <= mostOfValue) return [source, here];
  const from = Math.max(0, differing(source ?? '', here ?? '').before.length - context);
  const part = (text: string | null): string | null =>
    text === null
      ? null
      : `${from > 0 ? '…' : ''}${text.slice(from, from + mostOfValue)}${text.length > from + mostOfValue ? '…' : ''}`;
  return [part(source), part(here)];
}
