// Records of a source, page by page: pages that fail are halved until what fails stands alone, and is told.
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject, textOf } from '#domain/json.ts';
import type { Query } from '#client/connection.ts';
import { Refused } from './failures.ts';
import type { Unit } from './plan.ts';
import { idsOf, noList, recordsIn } from './plan.ts';
import type { Source } from './source.ts';
import { inOrder } from './request-limit.ts';

/** What could not be read, and why. */
export type Problem = { readonly uri: string; readonly status: number | null; readonly reason: string };

/** How a unit is read. */
export type Reading = {
  /** Whether a record is there already: it is not asked for again. */
  readonly has?: (uri: string) => boolean;
  /** Only what has changed from this second on (epoch), where the list can tell. */
  readonly since?: number | null;
  readonly onProblem: (problem: Problem) => void;
  /** How many records there are to read, as soon as that is known. */
  readonly onTotal?: (total: number) => void;
};

const pageSize = 100;

/** The records of a unit in the order of their ids, in pages. Each has a `uri`: that of its reply, otherwise the address it was read from. */
export async function* readUnit(source: Source, unit: Unit, reading: Reading): AsyncGenerator<readonly JsonObject[]> {
  try {
    if (unit.how === 'ids') yield* readByIds(source, unit, reading);
    else yield* readReply(source, unit, reading);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.status === 404 && unit.mayLack === true) return;
    reading.onProblem({ uri: unit.at, ...reasonOf(error) });
  }
}

async function* readByIds(source: Source, unit: Unit, reading: Reading): AsyncGenerator<readonly JsonObject[]> {
  const ids = await idsOf(source, unit.at, reading.since ?? null);
  const missing = reading.has === undefined ? ids : ids.filter((id) => reading.has?.(`${unit.at}/${id}`) !== true);
  reading.onTotal?.(missing.length);
  const uris = missing.map((id) => `${unit.at}/${id}`);
  if (unit.each !== undefined) return yield* readEach(source, uris, unit.each, reading);
  yield* readThese(source, unit.at, missing, reading);
}

/** The records of a list with these ids, in their order, in pages. What cannot be read is told, and left out. */
export async function* readThese(
  source: Source,
  at: string,
  ids: readonly number[],
  reading: Pick<Reading, 'onProblem'>,
): AsyncGenerator<readonly JsonObject[]> {
  const pages = function* (): Generator<() => Promise<readonly JsonObject[]>> {
    for (let first = 0; first < ids.length; first += pageSize) {
      const page = ids.slice(first, first + pageSize);
      yield () => readPage(source, at, page, reading);
    }
  };
  yield* inOrder(pages(), source.politeness.atOnce);
}

async function readPage(
  source: Source,
  at: string,
  ids: readonly number[],
  reading: Pick<Reading, 'onProblem'>,
): Promise<readonly JsonObject[]> {
  let records: readonly JsonObject[];
  try {
    records = recordsIn(await source.ask(at, { id_set: ids.join(',') }), at);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // One record that the source cannot show takes its whole page with it.
    if (ids.length > 1) {
      const middle = Math.ceil(ids.length / 2);
      const first = await readPage(source, at, ids.slice(0, middle), reading);
      return [...first, ...(await readPage(source, at, ids.slice(middle), reading))];
    }
    return readOne(source, `${at}/${ids[0]}`, {}, reading);
  }
  const byId = new Map(records.map((record) => [idOf(record), record]));
  const found: JsonObject[] = [];
  for (const id of ids) {
    const record = byId.get(id);
    if (record !== undefined) found.push(withUri(record, `${at}/${id}`));
    // Not in the page: gone meanwhile, or hidden from lists. Its own address knows.
    else found.push(...(await readOne(source, `${at}/${id}`, {}, reading)));
  }
  return found;
}

async function* readReply(source: Source, unit: Unit, reading: Reading): AsyncGenerator<readonly JsonObject[]> {
  const reply = await source.ask(unit.at);
  const records = unit.how === 'one' && !Array.isArray(reply) ? [asRecord(reply)] : recordsIn(reply, unit.at);
  const missing = records
    .map((record) => (unit.isAtAddress === true ? { ...record, uri: unit.at } : withUri(record, unit.at)))
    .filter((record) => reading.has?.(uriOf(record)) !== true);
  reading.onTotal?.(missing.length);
  if (unit.each === undefined) yield missing;
  else yield* readEach(source, missing.map(uriOf), unit.each, reading);
}

async function* readEach(
  source: Source,
  uris: readonly string[],
  query: Query,
  reading: Reading,
): AsyncGenerator<readonly JsonObject[]> {
  yield* inOrder(
    uris.map((uri) => () => readOne(source, uri, query, reading)),
    source.politeness.atOnce,
  );
}

async function readOne(
  source: Source,
  uri: string,
  query: Query,
  reading: Pick<Reading, 'onProblem'>,
): Promise<readonly JsonObject[]> {
  try {
    return [withUri(asRecord(await source.ask(uri, query)), uri)];
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { status, reason } = reasonOf(error);
    reading.onProblem({ uri, status, reason: status === 404 ? 'It was listed, and gone when it was read.' : reason });
    return [];
  }
}

/** The address of the delete feed. */
export const deleteFeed = '/delete-feed';

/** The uris of the delete feed since a second (epoch), page by page. */
export async function* deletedPages(source: Source, since: number): AsyncGenerator<readonly string[]> {
  for (let page = 1, last = 1; page <= last; page++) {
    const reply = await source.ask(deleteFeed, { page, page_size: 250, modified_since: since });
    if (!isObject(reply) || !Array.isArray(reply['results'])) throw noList(deleteFeed);
    last = Number(reply['last_page'] ?? 1);
    yield reply['results'].map(String);
  }
}

/** The uri of a record that was read. */
export const uriOf = (record: JsonObject): string => textOf(record, 'uri') ?? '';

const idOf = (record: JsonObject): number => Number(uriOf(record).split('/').at(-1) ?? record['id']);

const withUri = (record: JsonObject, at: string): JsonObject =>
  textOf(record, 'uri') === undefined ? { ...record, uri: at } : record;

const asRecord = (reply: Json): JsonObject => (isObject(reply) ? reply : { value: reply });

const reasonOf = (error: Refused): { readonly status: number | null; readonly reason: string } => ({
  status: error.status ?? null,
  reason: error.message,
});
