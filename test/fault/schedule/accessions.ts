// Somebody creates, edits and deletes accessions. Every part of a body carries the mark of the write that made it, so that half a write shows.
import type { JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import type { Actor, Stage } from './actor.ts';
import { pick, refsOf } from './actor.ts';

type Known = {
  readonly token: string;
  uri: string | null;
  /** Marks that it may have: that of the last acknowledged write, and those of writes since then of which nothing is known. */
  marks: Set<number>;
  deleted: 'no' | 'perhaps' | 'yes';
};

/** The actor; `shared` are two subjects and two agents, of which each write links one of each. */
export function accessionsActor(
  { client, random, repo }: Stage,
  name: string,
  shared: { readonly subjects: readonly string[]; readonly agents: readonly string[] },
): Actor {
  const all: Known[] = [];
  let acknowledged = 0;
  let lastMark = 0;
  const linked = (mark: number): readonly [string, string] => [
    shared.subjects[mark % 2] ?? '',
    shared.agents[mark % 2] ?? '',
  ];
  const body = (token: string, mark: number): JsonObject => ({
    id_0: token,
    title: `${token} m${mark}`,
    accession_date: '2026-01-01',
    content_description: `m${mark}`,
    external_documents: [{ title: `m${mark}`, location: `https://example.org/m${mark}` }],
    subjects: [{ ref: linked(mark)[0] }],
    linked_agents: [{ ref: linked(mark)[1], role: 'creator' }],
  });
  /** The mark of a body, or null where its parts are of several writes. */
  const markOf = (token: string, record: JsonObject): number | null => {
    const mark = Number(/ m(\d+)$/.exec(String(record['title']))?.[1]);
    const documents: unknown = record['external_documents'];
    const [document] = Array.isArray(documents) ? documents : [];
    const found = [
      record['id_0'],
      record['title'],
      record['content_description'],
      isObject(document) ? document['title'] : '',
      ...refsOf(record, 'subjects'),
      ...refsOf(record, 'linked_agents'),
    ];
    const whole = [token, `${token} m${mark}`, `m${mark}`, `m${mark}`, ...linked(mark)];
    return JSON.stringify(found) === JSON.stringify(whole) ? mark : null;
  };
  const faultOf = (known: Known, record: JsonObject): string | null => {
    const mark = markOf(known.token, record);
    if (mark !== null && known.marks.has(mark)) return null;
    return `${known.uri ?? known.token} is ${mark === null ? 'half of one write and half of another' : `m${mark}`}, and should be ${[...known.marks].map((each) => `m${each}`).join(' or ')}: ${JSON.stringify(record).slice(0, 600)}`;
  };

  const create = async (): Promise<void> => {
    const token = `${name}x${all.length}x`;
    const known: Known = { token, uri: null, marks: new Set([(lastMark += 1)]), deleted: 'no' };
    all.push(known);
    // Half of them are sent under a key, again and again until they are answered: there must be one all the same.
    const key = random() < 0.5 ? `create-${token}` : undefined;
    const json = body(token, lastMark);
    for (let tries = 0; tries < (key === undefined ? 1 : 4); tries++) {
      const outcome = await client.ask(`${repo}/accessions`, { json, ...(key === undefined ? {} : { key }) });
      if (outcome.is === 'done') {
        known.uri = String(outcome.body['uri']);
        acknowledged += 1;
        return;
      }
      if (outcome.is === 'refused') {
        // The first request with this key was cut off before its answer was kept.
        if (outcome.status !== 409 || tries === 0)
          client.faults.push(`create ${token}: ${outcome.status} ${outcome.text}`);
        return;
      }
    }
  };
  const update = async (known: Known): Promise<void> => {
    const read = await client.ask(known.uri ?? '');
    if (read.is === 'unknown') return;
    if (read.is === 'refused') {
      if (known.deleted === 'no') client.faults.push(`${known.uri}: ${read.status} ${read.text}`);
      return;
    }
    const fault = faultOf(known, read.body);
    if (fault !== null) client.faults.push(fault);
    const isCertain = known.marks.size === 1 && known.deleted === 'no';
    const mark = (lastMark += 1);
    const json = { ...body(known.token, mark), lock_version: read.body['lock_version'] ?? null };
    const outcome = await client.ask(known.uri ?? '', { json });
    if (outcome.is === 'done') {
      known.marks = new Set([mark]);
      acknowledged += 1;
    } else if (outcome.is === 'unknown') known.marks.add(mark);
    else if (isCertain) client.faults.push(`update ${known.uri}: ${outcome.status} ${outcome.text}`);
  };
  const remove = async (known: Known): Promise<void> => {
    const outcome = await client.ask(known.uri ?? '', { method: 'DELETE' });
    if (outcome.is === 'done') {
      known.deleted = 'yes';
      acknowledged += 1;
    } else if (outcome.is === 'unknown') known.deleted = 'perhaps';
    else if (known.deleted === 'no') client.faults.push(`delete ${known.uri}: ${outcome.status} ${outcome.text}`);
  };
  const search = async (known: Known): Promise<void> => {
    const outcome = await client.ask(`${repo}/search?page=1&q=${known.token}`);
    if (outcome.is === 'done' && Number(outcome.body['total_hits']) > 1)
      client.faults.push(`a search finds ${known.token} ${String(outcome.body['total_hits'])} times`);
    if (outcome.is === 'refused') client.faults.push(`search: ${outcome.status} ${outcome.text}`);
  };

  return {
    name,
    acknowledged: () => acknowledged,
    act: async () => {
      const living = all.filter(({ uri, deleted }) => uri !== null && deleted === 'no');
      const known = pick(random, living);
      const chance = random();
      if (known === undefined || chance < 0.35) return create();
      if (chance < 0.75) return update(known);
      return chance < 0.85 ? remove(known) : search(known);
    },
    verify: async (stored) => {
      const there = new Map<string, JsonObject[]>();
      for (const record of await stored.all(`${repo}/accessions`)) {
        const token = String(record['id_0']);
        if (token.startsWith(`${name}x`)) there.set(token, [...(there.get(token) ?? []), record]);
      }
      const faults: string[] = [];
      for (const known of all) {
        const found = there.get(known.token) ?? [];
        there.delete(known.token);
        if (found.length > 1) faults.push(`${known.token} is there ${found.length} times`);
        const [record] = found;
        if (record === undefined) {
          if (known.uri !== null && known.deleted === 'no')
            faults.push(`${known.uri} was acknowledged and is not there`);
          continue;
        }
        if (known.deleted === 'yes') faults.push(`${known.uri} was deleted and is there`);
        if (known.uri !== null && record['uri'] !== known.uri) faults.push(`${known.uri} is ${String(record['uri'])}`);
        const fault = faultOf(known, record);
        if (fault !== null) faults.push(fault);
      }
      for (const token of there.keys()) faults.push(`${token} is there, and nobody sent it`);
      const living = all.filter(({ uri, deleted }) => uri !== null && deleted === 'no');
      for (const known of [pick(random, living), living.at(-1)]) {
        if (known === undefined) continue;
        const { total_hits: hits } = await client.certain(`${repo}/search?page=1&q=${known.token}`);
        if (hits !== 1) faults.push(`a search finds ${known.token} ${String(hits)} times`);
      }
      return faults;
    },
  };
}
