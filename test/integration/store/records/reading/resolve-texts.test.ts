// Resolved texts that are kept against the same read anew, whatever was written, by whomever and whoever looks.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import { appendChange } from '#store/change-log/append.ts';
import { Database } from '#store/connection/database.ts';
import type { Reader } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { readRecord } from '#store/records/reading/read.ts';
import { resolveTexts } from '#store/records/reading/resolve-texts.ts';
import type { ResolveViewer } from '#store/records/reading/resolve.ts';
import { resolveRefs } from '#store/records/reading/resolve.ts';
import { parseResolve } from '#store/records/reading/resolve-tree.ts';
import { ResolvedTexts } from '#store/records/reading/resolved-texts.ts';
import { suppressRecord } from '#store/records/visibility/suppress.ts';
import { openRecordStore, personBody, resourceBody } from '../../../../support/records.ts';
import type { RecordStore } from '../../../../support/records.ts';

let store: RecordStore;
// As another process of the service: its memory hears nothing of the writes of the first one.
let other: Database;
beforeAll(async () => {
  store = await openRecordStore();
  other = new Database({ url: store.database.settings.url, poolSize: 4 });
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

const viewers: readonly ResolveViewer[] = [
  { seesSuppressed: true, seesConfidential: true, mayView: () => true },
  { seesSuppressed: false, mayView: () => true },
  { seesSuppressed: true, mayView: () => false },
  { seesSuppressed: true, release: 'R-A', mayView: () => true },
];
const trees = [
  ['resource', 'subjects', 'linked_agents', 'top_container', 'parent', 'repository'],
  ['resource::linked_agents::subjects', 'resource::linked_events', 'instances::sub_container::top_container'],
  ['linked_agents', 'resource::subjects', 'ancestors'],
].map(parseResolve);

/** The pieces in one. */
async function whole(...asked: Parameters<typeof resolveTexts>): Promise<string> {
  return [...(await resolveTexts(...asked))].join('');
}

/** Compares what both processes give of a record with what is read without their memories. */
async function compare(uri: string): Promise<void> {
  const { kind, id, repoId } = parseUri(uri) ?? { kind: '', id: 0, repoId: null };
  for (const viewer of viewers) {
    const { text } = await readRecord(store.database.reader, kindNamed(kind), id, repoId, {
      ...viewer,
      seesSuppressed: true,
    });
    for (const tree of trees) {
      const record: JsonObject = JSON.parse(text);
      await resolveRefs(store.database.reader, [record], tree, viewer);
      for (const { reader } of [store.database, other])
        expect(await whole(reader, text, tree, viewer)).toBe(JSON.stringify(record));
    }
  }
}

// The same sequence on every machine.
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function plant(): Promise<{
  readonly uri: string;
  readonly linked: readonly string[];
  readonly resource: string;
}> {
  const subject = await store.create('subject', {
    source: 'local',
    vocabulary: '/vocabularies/1',
    terms: [{ term: 'Trade', term_type: 'topical', vocabulary: '/vocabularies/1' }],
  });
  const contact = { name: 'Desk', telephones: [{ number: '1' }] };
  const agent = await store.create(
    'agent_person',
    personBody('Anna', { subjects: [{ ref: subject.uri }], agent_contacts: [contact] }),
  );
  const links = { linked_agents: [{ ref: agent.uri, role: 'creator' }], subjects: [{ ref: subject.uri }] };
  const { uri: resource } = await store.create('resource', resourceBody('KEPT', links));
  const box = await store.create('top_container', { indicator: '1', type: 'box' });
  const part = { title: 'Part', level: 'file', resource: { ref: resource } };
  const parent = await store.create('archival_object', part);
  const instances = [{ instance_type: 'text', sub_container: { top_container: { ref: box.uri } } }];
  const file = await store.create('archival_object', { ...part, ...links, instances, parent: { ref: parent.uri } });
  return { uri: file.uri, linked: [subject.uri, agent.uri, resource, box.uri, parent.uri], resource };
}

test('what was kept is what is read anew, after any writing', async () => {
  const { uri, linked, resource } = await plant();
  await compare(uri);
  const random = randomFrom(20);
  const suppress = (what: string, suppressed: boolean): Promise<number> => {
    const { kind, id, repoId } = parseUri(what) ?? { kind: '', id: 0, repoId: null };
    return store.database.transaction((tx) =>
      suppressRecord(tx, { kind: kindNamed(kind), id, repoId, suppressed, actor: 'tester' }),
    );
  };
  const changed: { readonly [kind: string]: (n: number) => JsonObject } = {
    agent_person: (n) => personBody(`Anna ${n}`, { agent_contacts: [{ name: `Desk ${n}` }] }),
    top_container: (n) => ({ indicator: String(n) }),
  };
  let isSuppressed = false;
  const showResource = async (): Promise<void> => {
    if (isSuppressed) await suppress(resource, (isSuppressed = false));
  };
  const operations: readonly ((n: number) => Promise<unknown>)[] = [
    async (n) => {
      const target = linked[random(linked.length)] ?? '';
      await showResource();
      const { kind } = parseUri(target) ?? { kind: '' };
      const before = await store.read(target);
      await store.update(target, {
        ...before,
        ...(changed[kind]?.(n) ?? { external_ids: [{ external_id: `x${n}`, source: 's' }] }),
      });
    },
    () => suppress(resource, (isSuppressed = !isSuppressed)),
    (n) =>
      store.create('archival_object', { title: `New ${n}`, level: 'file', resource: { ref: resource }, position: 0 }),
    async () =>
      store.create('event', {
        event_type: 'accession',
        date: { date_type: 'single', label: 'event', begin: '2000' },
        linked_agents: [{ ref: linked[1] ?? '', role: 'validator' }],
        linked_records: [{ ref: resource, role: 'source' }],
      }),
    async () => {
      await showResource();
      const before = await store.read(resource);
      await store.update(resource, { ...before, publish: before['publish'] !== true });
    },
  ];
  for (let n = 0; n < 20; n++) {
    await operations[random(operations.length)]?.(n);
    await compare(uri);
  }
  // Gone ones are in no text.
  for (const gone of [linked[1] ?? '', linked[3] ?? '']) {
    await store.remove(gone);
    await compare(uri);
  }
});

test('what becomes long is given in pieces, which are what it would be in one', async () => {
  const agent = await store.create('agent_person', personBody('Dora'));
  const named = { linked_agents: Array.from({ length: 4000 }, () => ({ ref: agent.uri })) };
  const [tree, viewer] = [parseResolve(['linked_agents']), { seesSuppressed: true, mayView: (): boolean => true }];
  const record: JsonObject = JSON.parse(JSON.stringify(named));
  await resolveRefs(store.database.reader, [record], tree, viewer);
  const pieces = [...(await resolveTexts(store.database.reader, JSON.stringify(named), tree, viewer))];
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(80_000);
  expect(pieces.join('') === JSON.stringify(record)).toBe(true);
});

test('nothing is read again while nothing is written, and all after a write that was under way meanwhile', async () => {
  const agent = await store.create('agent_person', personBody('Berta'));
  const text = JSON.stringify({ linked_agents: [{ ref: agent.uri }, { ref: agent.uri, role: 'source' }] });
  const [tree, viewer] = [parseResolve(['linked_agents']), { seesSuppressed: true, mayView: (): boolean => true }];
  let statements = 0;
  const reader: Reader = {
    ...other.reader,
    named: (statement, values) => {
      statements += 1;
      return other.reader.named(statement, values);
    },
  };
  const resolved = (): Promise<string> => whole(reader, text, tree, viewer);
  expect(await resolved()).toContain('Berta');
  expect(statements).toBe(1);
  let commit = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let written = (): void => undefined;
  const isWritten = new Promise<void>((resolve) => {
    written = resolve;
  });
  const writing = store.database.transaction(async (tx) => {
    await tx.run(sql`UPDATE record SET label = 'Cäcilie' WHERE kind = 'agent_person' AND id = ${agent.id}`);
    await appendChange(tx, {
      kind: 'agent_person',
      id: agent.id,
      repoId: null,
      op: 'update',
      actor: null,
      lockVersion: 1,
    });
    written();
    await held;
  });
  await isWritten;
  for (let n = 0; n < 3; n++) expect(await resolved()).toContain('Berta');
  expect(statements).toBe(1);
  commit();
  await writing;
  expect(await resolved()).toContain('Cäcilie');
  expect(await resolved()).toContain('Cäcilie');
  expect(statements).toBe(2);
});

test('calls that come together ask once, and one that comes while they are asked asks again', async () => {
  let asked = 0;
  const answers: (() => void)[] = [];
  const memory = new ResolvedTexts(
    (statement, values) =>
      new Promise((resolve, reject) => {
        asked += 1;
        answers.push(() => void other.reader.named(statement, values).then(resolve, reject));
      }),
  );
  const together = Promise.all([memory.current(), memory.current()]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const later = memory.current();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(asked).toBe(1);
  answers.shift()?.();
  const [generation = 0] = await together;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(asked).toBe(2);
  answers.shift()?.();
  expect(await later).toBe(generation);
  // What was read under a generation that has gone by is not kept.
  memory.keep('a', { pieces: [''], refs: [] }, generation - 1);
  memory.keep('b', { pieces: [''], refs: [] }, generation);
  expect([memory.find('a'), memory.find('b')]).toEqual([undefined, { pieces: [''], refs: [] }]);
});

test('what nobody has asked for in so long that the log may have forgotten changes is not kept', async () => {
  let now = 100 * 60_000;
  const memory = new ResolvedTexts(
    (statement, values) => other.reader.named(statement, values),
    () => now,
  );
  const template = { pieces: [''], refs: [] };
  const generation = await memory.current();
  memory.keep('a', template, generation);
  now += 9 * 60_000;
  expect([await memory.current(), memory.find('a')]).toEqual([generation, template]);
  // The log keeps an hour.
  now += 59 * 60_000;
  expect(await memory.current()).not.toBe(generation);
  expect(memory.find('a')).toBeUndefined();
});
