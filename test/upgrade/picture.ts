// All that a service shows, as texts by address: records, histories, trees, exports, what searches find, and what each person may see. Two pictures
// are compared property by property.
import type { Json } from '#domain/json.ts';
import { isObject, textOf } from '#domain/json.ts';
import { makePlan, recordsIn } from '#migrate/plan.ts';
import { openSource } from '#migrate/source.ts';
import type { Source } from '#migrate/source.ts';
import type { Client } from './client.ts';
import { clientOf } from './client.ts';
import type { Filled } from './fill.ts';

/** Status and text of each address, or of each question. */
export type Picture = ReadonlyMap<string, string>;

const searches = ['lighthouse', 'harbour', 'plan quay', 'version', 'hidden', 'deleted', 'letter 17', 'pilots', 'elev*'];

/** Takes the picture: as the administrator, and of what people may as each of them, by the sessions that they have. */
export async function takePicture(client: Client, people: Filled['people']): Promise<Picture> {
  const source = await openSource(
    { url: client.url, user: 'admin', password: undefined, session: client.session },
    { atOnce: 4, aSecond: 10_000 },
    new AbortController().signal,
  );
  const picture = new Map<string, string>();
  const keep = async (path: string, asked: Client = client, name = path): Promise<void> => {
    const { status, text } = await asked.get(path);
    picture.set(name, `${status} ${text}`);
  };
  const uris = await urisOf(source);
  for (const uri of uris) {
    await keep(uri);
    await keep(`${uri}/history`);
    if (/\/(?:resources|digital_objects|classifications)\/\d+$/.test(uri)) await keepTree(uri, keep);
    for (const path of exportsOf(uri)) await keep(path);
    if (/\/jobs\/\d+$/.test(uri)) await keep(`${uri}/log`);
  }
  for (const q of searches) picture.set(`search ${q}`, await found(client, q));
  for (const { name, session } of people) {
    const asPerson = clientOf(client.url, session);
    await keep('/users/current-user', asPerson, `${name}: current user`);
    for (const uri of uris) {
      // What is kept from people is told by the status; what they see was read above.
      const { status } = await asPerson.get(uri);
      picture.set(`${name}: ${uri}`, String(status));
    }
    for (const q of searches) picture.set(`${name}: search ${q}`, await found(asPerson, q));
  }
  return picture;
}

/** The uris of all records that lists name. */
async function urisOf(source: Source): Promise<readonly string[]> {
  const uris = new Set<string>();
  for (const { units } of await makePlan(source))
    for (const { at, how, mayLack } of units) {
      const reply = await source.ask(at, how === 'ids' ? { all_ids: true } : {}).catch((error: unknown) => {
        if (mayLack === true) return null;
        throw error;
      });
      if (how === 'one') uris.add(at);
      else if (how === 'list') for (const record of recordsIn(reply ?? [], at)) uris.add(textOf(record, 'uri') ?? at);
      else if (Array.isArray(reply)) for (const id of reply) uris.add(`${at}/${String(id)}`);
    }
  return [...uris].toSorted();
}

type Keep = (path: string) => Promise<void>;

async function keepTree(uri: string, keep: Keep): Promise<void> {
  await keep(`${uri}/tree/root`);
  await keep(`${uri}/tree/waypoint?offset=0`);
  if (uri.includes('/resources/')) await keep(`${uri}/ordered_records`);
}

/** The exports of a record, by the interface's own addresses. */
function exportsOf(uri: string): readonly string[] {
  const [, repository, plural, id] = /^(\/repositories\/\d+)\/(\w+)\/(\d+)$/.exec(uri) ?? [];
  const agent = /^\/agents\/(\w+)\/(\d+)$/.exec(uri);
  if (agent !== null) return [`/repositories/2/archival_contexts/${agent[1]}/${agent[2]}.xml`];
  if (plural === 'resources')
    return [
      `${repository}/resource_descriptions/${id}.xml?include_daos=true&numbered_cs=true`,
      `${repository}/resource_descriptions/${id}.xml?ead3=true`,
      `${repository}/resources/marc21/${id}.xml`,
      `${repository}/resource_labels/${id}.tsv`,
    ];
  if (plural === 'digital_objects')
    return ['mods', 'mets', 'dublin_core'].map((form) => `${repository}/digital_objects/${form}/${id}.xml`);
  return [];
}

/** The uris that a search finds, in the order of their names: how they are ranked is no part of what is stored. */
async function found(client: Client, q: string): Promise<string> {
  const { status, text } = await client.get(`/search?q=${encodeURIComponent(q)}&page=1&page_size=100`);
  if (status !== 200) return `${status}`;
  const { results } = JSON.parse(text) as { readonly results: readonly { readonly uri: string }[] };
  return `200 ${JSON.stringify(results.map(({ uri }) => uri).toSorted())}`;
}

/** How an address differs: `added` properties alone, or otherwise. */
export type Difference = { readonly address: string; readonly sort: 'added' | 'changed' | 'gone'; readonly at: string };

/** Every difference between two pictures, as far as the later one lacks or changes what the earlier has; what is new to it is `added`. */
export function compare(before: Picture, after: Picture): readonly Difference[] {
  return [...before].flatMap(([address, text]): readonly Difference[] => {
    const now = after.get(address);
    if (now === undefined) return [{ address, sort: 'gone', at: '' }];
    if (masked(now) === masked(text)) return [];
    const [one, other] = [jsonOf(text), jsonOf(now)];
    if (one === undefined || other === undefined)
      return [{ address, sort: 'changed', at: firstChange(masked(text), masked(now)) }];
    return [...differencesIn(one, other, '')].map((each) => ({ address, ...each }));
  });
}

// The moment of an export stands in it.
const masked = (text: string): string =>
  text.replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| UTC|[+-]\d\d:?\d\d)?/g, '(time)');

function jsonOf(text: string): Json | undefined {
  if (!/^200 [[{]/.test(text)) return undefined;
  // JSON.parse makes nothing but JSON values.
  return JSON.parse(text.slice(4)) as Json;
}

function* differencesIn(one: Json, other: Json, at: string): Generator<Omit<Difference, 'address'>> {
  if (isObject(one) && isObject(other)) {
    for (const key of Object.keys(other)) if (!(key in one)) yield { sort: 'added', at: `${at}/${key}` };
    for (const [key, value] of Object.entries(one)) {
      const now = other[key];
      if (now === undefined) yield { sort: 'gone', at: `${at}/${key}` };
      else yield* differencesIn(value ?? null, now, `${at}/${key}`);
    }
  } else if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    for (const [n, value] of one.entries()) yield* differencesIn(value, other[n] ?? null, `${at}/${n}`);
  } else if (JSON.stringify(one) !== JSON.stringify(other))
    yield {
      sort: 'changed',
      at: `${at}: ${JSON.stringify(one).slice(0, 1500)} → ${JSON.stringify(other).slice(0, 1500)}`,
    };
}

/** The first line that differs, before and after. */
function firstChange(one: string, other: string): string {
  const [lines, others] = [one.split('\n'), other.split('\n')];
  const n = lines.findIndex((line, index) => line !== others[index]);
  return `line ${n + 1}: ${(lines[n] ?? '(none)').slice(0, 160)} → ${(others[n] ?? '(none)').slice(0, 160)}`;
}
