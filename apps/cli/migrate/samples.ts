// What two services make of the same records, on a sample of them: finding aids, what harvesters get, and searches. The sample is the same each time:
// the records whose addresses have the lowest digests.
import { createHash } from 'node:crypto';
import { queryText } from '#client/connection.ts';
import { pause } from '#client/retries.ts';
import { Failure } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { isObject, objectsOf, textOf } from '#domain/json.ts';
import type { Difference } from './compare.ts';
import { uriOf } from '#migrate/reading.ts';
import type { Source } from '#migrate/source.ts';
import { MigrationFailure, Refused } from '#migrate/failures.ts';
import { compareXml } from './xml-compare.ts';

/** How many of each sort are looked at. */
export type SampleSizes = { readonly documents: number; readonly searches: number };

/** What is told of a sample: differences, and reasons of what may differ. */
export type Telling = {
  readonly tell: (difference: Difference) => void;
  readonly allow: (reason: string) => void;
  readonly onProgress: (label: string, done: number) => void;
};

type Sampled = { readonly digest: string; readonly uri: string; readonly title: string; readonly type: string };

const documented = new Set(['resource', 'archival_object']);
const searched = new Set([
  ...['resource', 'archival_object', 'accession', 'digital_object', 'digital_object_component', 'classification'],
  ...['agent_person', 'agent_family', 'agent_corporate_entity', 'subject'],
]);
const pageSize = 100;
// Of what more records fit only the number is compared: which of them come first is ranking.
const mostFound = 500;
// The index of a service that has just been loaded is made behind it.
const indexWaitMs = 600_000;

/** Gathers the sample while records are compared. */
export class Sample {
  readonly #sizes: SampleSizes;
  readonly #chosen: { readonly [sort in 'resources' | 'components' | 'searches']: Sampled[] } = {
    resources: [],
    components: [],
    searches: [],
  };

  constructor(sizes: SampleSizes) {
    this.#sizes = sizes;
  }

  /** Looks at a record that both sides have. */
  add(record: JsonObject): void {
    const type = textOf(record, 'jsonmodel_type') ?? '';
    const uri = uriOf(record);
    if (!searched.has(type) || record['suppressed'] === true) return;
    const title = textOf(record, 'display_string') ?? textOf(record, 'title') ?? '';
    const sampled = { digest: createHash('sha1').update(uri).digest('hex'), uri, title, type };
    if (documented.has(type))
      keep(this.#chosen[type === 'resource' ? 'resources' : 'components'], sampled, this.#sizes.documents);
    if (phraseOf(title) !== null) keep(this.#chosen.searches, sampled, this.#sizes.searches);
  }

  /** Compares what both services make of it. */
  async compare(source: Source, here: Source, telling: Telling): Promise<void> {
    const { resources, components, searches } = this.#chosen;
    const sides = { source, here };
    let done = 0;
    for (const { uri } of resources) {
      const [repository = '', id = ''] = uri.split('/resources/');
      const ead = `${repository}/resource_descriptions/${id}.xml?include_unpublished=true&include_daos=true`;
      await compareDocuments(sides, uri, 'ead', [ead, ead], telling);
      telling.onProgress('Comparing finding aids', ++done);
    }
    const prefixes = await Promise.all([prefixOf(source), prefixOf(here)]);
    for (const { uri } of [...resources, ...components]) {
      for (const metadata of ['oai_dc', 'oai_marc']) {
        const paths = prefixes.map(
          (prefix) =>
            `/oai${queryText({ verb: 'GetRecord', metadataPrefix: metadata, identifier: `${prefix}${uri}` })}`,
        );
        await compareDocuments(sides, uri, metadata, [paths[0] ?? '', paths[1] ?? ''], telling);
      }
      telling.onProgress('Comparing what harvesters get', ++done);
    }
    if (searches.length > 0)
      await Promise.all([untilIndexed(source, 'source', telling), untilIndexed(here, 'here', telling)]);
    for (const one of searches) {
      await compareSearches(sides, one, telling);
      telling.onProgress('Comparing searches', ++done);
    }
  }
}

function keep(chosen: Sampled[], sampled: Sampled, most: number): void {
  const last = chosen.at(-1);
  if (most === 0 || (chosen.length >= most && last !== undefined && last.digest <= sampled.digest)) return;
  chosen.push(sampled);
  chosen.sort((one, other) => (one.digest < other.digest ? -1 : 1));
  if (chosen.length > most) chosen.pop();
}

type Sides = { readonly source: Source; readonly here: Source };

/** A reply as text, or why there is none. */
async function textAt(
  source: Source,
  path: string,
): Promise<{ readonly text: string } | { readonly status: number | null; readonly reason: string }> {
  try {
    const pieces: Uint8Array[] = [];
    for await (const piece of await source.download(path)) pieces.push(piece);
    return { text: Buffer.concat(pieces).toString('utf8') };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { status: error.status ?? null, reason: error.message };
  }
}

async function compareDocuments(
  { source, here }: Sides,
  uri: string,
  document: string,
  [theirPath, ourPath]: readonly [string, string],
  { tell, allow }: Telling,
): Promise<void> {
  const [theirs, ours] = await Promise.all([textAt(source, theirPath), textAt(here, ourPath)]);
  if (!('text' in theirs) && !('text' in ours) && theirs.status === ours.status) return;
  if (!('text' in theirs))
    return tell({ what: 'unread', uri, side: 'source', reason: `${document}: ${theirs.reason}` });
  if (!('text' in ours)) return tell({ what: 'unread', uri, side: 'here', reason: `${document}: ${ours.reason}` });
  try {
    const { differences, allowed } = compareXml(theirs.text, ours.text, source.release !== here.release);
    for (const reason of allowed) allow(reason);
    for (const difference of differences) tell({ what: 'document', uri, document, ...difference });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const reason = `${document} cannot be compared: ${JSON.stringify(error.error)}`;
    tell({ what: 'unread', uri, side: 'source', reason });
  }
}

/** What the identifiers of a service begin with, from the example that it gives of one. */
async function prefixOf(source: Source): Promise<string> {
  const reply = await textAt(source, '/oai?verb=Identify');
  const example = 'text' in reply ? /<sampleIdentifier>([^<]+?)\/repositories\//.exec(reply.text)?.[1] : undefined;
  return example ?? (source.release === 'R-A' ? 'oai:archivesspace/' : 'oai:archivesspace:');
}

/** The first words of a title as a phrase to look for; null where there are too few for a search to say anything. */
function phraseOf(title: string): string | null {
  const words = title.replace(/<[^>]*>/g, ' ').match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length === 0 || words.join('').length < 4 ? null : `"${words.slice(0, 6).join(' ')}"`;
}

async function compareSearches(
  { source, here }: Sides,
  { uri, title, type }: Sampled,
  { tell }: Telling,
): Promise<void> {
  const query = phraseOf(title) ?? '';
  const results = await Promise.all([found(source, query, type), found(here, query, type)]);
  const [theirs, ours] = results;
  const failed = results.findIndex((result) => 'reason' in result);
  const failure = results[failed];
  if (failure !== undefined && 'reason' in failure)
    return tell({
      what: 'unread',
      uri,
      side: failed === 0 ? 'source' : 'here',
      reason: `search for ${query}: ${failure.reason}`,
    });
  if (theirs === undefined || ours === undefined || 'reason' in theirs || 'reason' in ours) return;
  const others = new Set(ours.uris);
  const known = new Set(theirs.uris);
  const onlyThere = theirs.uris.filter((each) => !others.has(each));
  const onlyHere = ours.uris.filter((each) => !known.has(each));
  if (theirs.total === ours.total && onlyThere.length + onlyHere.length === 0) return;
  tell({ what: 'search', uri, query, type, source: theirs.total, here: ours.total, onlyThere, onlyHere });
}

type Found = { readonly total: number; readonly uris: readonly string[] };

async function found(source: Source, query: string, type: string): Promise<Found | { readonly reason: string }> {
  const uris: string[] = [];
  try {
    for (let page = 1; ; page++) {
      const reply = await source.ask('/search', { q: query, type: [type], page, page_size: pageSize });
      const total = isObject(reply) && typeof reply['total_hits'] === 'number' ? reply['total_hits'] : 0;
      if (total > mostFound) return { total, uris: [] };
      const results = isObject(reply) ? objectsOf(reply, 'results') : [];
      uris.push(...results.flatMap((result) => textOf(result, 'uri') ?? []));
      if (results.length === 0 || uris.length >= total) return { total, uris: uris.toSorted() };
    }
  } catch (error) {
    if (error instanceof Refused) return { reason: error.message };
    throw error;
  }
}

/** Waits until the index of a Muniment is up to date; other services do not tell. */
async function untilIndexed(source: Source, side: 'source' | 'here', { tell, onProgress }: Telling): Promise<void> {
  const until = performance.now() + indexWaitMs;
  for (;;) {
    const state = await source.ask('/system/index-status').catch((error: unknown) => {
      if (error instanceof MigrationFailure && error.status !== undefined) return null;
      throw error;
    });
    if (!isObject(state)) return;
    const waiting = ['changes', 'due', 'due_bulk', 'fans'].reduce((sum, name) => sum + Number(state[name] ?? 0), 0);
    if (waiting === 0) return;
    if (performance.now() > until)
      return tell({
        what: 'unread',
        uri: '/search',
        side,
        reason: 'The search index has not come up with the records in ten minutes.',
      });
    onProgress('Waiting for the search index', waiting);
    await pause(500);
  }
}
