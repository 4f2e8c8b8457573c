// Large exports are written by threads: the document is the one that is written at once, whatever happens meanwhile.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import { readConfig } from '#domain/config.ts';
import { ead } from '#domain/formats/ead/export.ts';
import type { ExportContext } from '#domain/formats/writing/context.ts';
import { findingAidRefs } from '#domain/formats/writing/refs.ts';
import type { JsonObject } from '#domain/json.ts';
import { Database } from '#store/connection/database.ts';
import { readValueLabels } from '#store/enumerations/value-labels.ts';
import type { ExportTree } from '#store/exports/read-tree.ts';
import { exportTree } from '#store/exports/read-tree.ts';
import type { TestApi } from '#test/support/api.ts';
import { idOf, ok, startTestApi } from '#test/support/api.ts';
import { largeTree } from '#test/support/large-tree.ts';
import { ExportThreads } from '../../../apps/api/exports/export-threads.ts';
import { exportInParts } from '../../../apps/api/exports/run-of-export.ts';

const count = 2400;
let api: TestApi;
let repoId: number;
let id: number;
/** The components in reading order. */
let nodes: readonly number[];

/** A note whose identifier those of other components have too: a document has each once. */
const note = (n: number): JsonObject => ({
  jsonmodel_type: 'note_multipart',
  type: 'scopecontent',
  subnotes: [{ jsonmodel_type: 'note_text', content: `Latin & Greek, ${n}`, publish: true }],
  persistent_id: `note${n % 700}`,
  publish: true,
});

beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs', environment: { MUNIMENT_EXPORT_THREADS: '2' } });
  repoId = await api.repository();
  const agent = await api.create('/agents/people', {
    publish: true,
    names: [{ primary_name: 'Muster', rest_of_name: 'Anna', sort_name_auto_generate: true, name_order: 'inverted' }],
  });
  const resource = await largeTree(api, repoId, {
    code: 'threads',
    count,
    root: { publish: true },
    // A series and what is below it end where a run does, go on in the next one, or both.
    bodyOf: (n) => ({
      publish: n % 7 !== 3,
      notes: [note(n)],
      linked_agents: [{ ref: agent, role: 'subject' }],
      ...(n % 50 < 3 ? {} : { parent: { ref: `/repositories/${repoId}/archival_objects/import_${n - (n % 50)}` } }),
    }),
  });
  id = idOf(resource);
  nodes = [...(await openTree(false)).outline.ids];
});
afterAll(() => api[Symbol.asyncDispose]());

const viewer = { seesSuppressed: false, mayView: () => true };
const openTree = (publishedOnly: boolean, database = api.database): Promise<ExportTree> =>
  exportTree(database, { kind: kindNamed('resource'), repoId, id }, { publishedOnly, viewer, resolve: findingAidRefs });

const told = (includesUnpublished: boolean): Omit<ExportContext, 'label'> => ({
  repository: null,
  includesUnpublished,
  publicUrl: '',
  serviceUrl: '',
  now: new Date(0),
  product: 'Muniment',
  showsArks: false,
  release: 'R-B',
});
const options = { include_daos: true, include_uris: true, numbered_cs: true };

const textOf = async (pieces: AsyncIterable<string | Uint8Array>): Promise<string> =>
  Buffer.concat(await Array.fromAsync(pieces, (piece) => Buffer.from(piece))).toString();

/** Has threads write what was found of a tree. */
async function byThreads(
  { root, outline, deepest }: ExportTree,
  includesUnpublished: boolean,
  { database = api.database, more = {} }: { readonly database?: Database; readonly more?: JsonObject } = {},
): Promise<{ readonly text: string; readonly log: readonly unknown[] }> {
  await using threads = new ExportThreads(readConfig({ MUNIMENT_EXPORT_THREADS: '2' }));
  const log: unknown[] = [];
  const asked = {
    name: 'Ead',
    options: { ...options, ...more },
    kind: 'resource',
    repoId,
    publishedOnly: !includesUnpublished,
    resolve: findingAidRefs,
    viewer: { seesSuppressed: false, seesPlain: true },
    views: [repoId],
    context: told(includesUnpublished),
    deepest,
  };
  const context = { ...asked.context, label: readValueLabels() };
  const parts = exportInParts(asked.name).parts({ root: root.record, deepest }, context, asked.options);
  const document = { asked, outline, parts, signal: new AbortController().signal };
  return {
    text: await textOf(threads.write(database, document, { warn: (line: unknown) => void log.push(line) })),
    log,
  };
}

const atOnce = async (
  { root, blocks, deepest }: ExportTree,
  includesUnpublished: boolean,
  more = {},
): Promise<string> =>
  textOf(
    exportInParts(ead.name).write(
      { root: root.record, blocks, deepest },
      { ...told(includesUnpublished), label: readValueLabels() },
      { ...options, ...more },
    ),
  );

test.each([
  ['EAD 2002', true, {}],
  ['EAD 2002 of what is published', false, {}],
  ['EAD3', true, { ead3: true }],
])('%s is the one that is written at once', async (_, includesUnpublished, more) => {
  const { text, log } = await byThreads(await openTree(!includesUnpublished), includesUnpublished, { more });
  expect(text === (await atOnce(await openTree(!includesUnpublished), includesUnpublished, more))).toBe(true);
  expect(log).toEqual([]);
  // Most notes repeat an identifier of a run that another thread may have written.
  const ids = text.match(/ id="[^"]+"/g) ?? [];
  expect(ids.length).toBeGreaterThan(2000);
  expect(new Set(ids).size).toBe(ids.length);
});

test('what is hidden or gone after the document was begun is left out with all below it, in the next run too', async () => {
  const begun = await openTree(true);
  // The second run begins below a series that the first one ends with.
  const [first, second] = [begun.outline.ids[255] ?? 0, begun.outline.ids[256] ?? 0];
  expect([begun.outline.depths[255], begun.outline.depths[256]]).toEqual([expect.any(Number), 2]);
  const ancestor = begun.outline.ids.subarray(0, 256).findLast((_, at) => begun.outline.depths[at] === 1) ?? 0;
  expect(nodes).toContain(first);
  const uri = `/repositories/${repoId}/archival_objects/${ancestor}`;
  ok(await api.post(uri, { ...ok(await api.get(uri)), publish: false }));
  const { text } = await byThreads(begun, false);
  expect(text).not.toContain(`/archival_objects/${second}<`);
  expect(text === (await atOnce(await openTree(true), false))).toBe(true);
  ok(await api.post(uri, { ...ok(await api.get(uri)), publish: true }));
});

test('what threads cannot write is written here, and the log says so', async () => {
  // Threads are told where the database is; this one's connections are there already.
  await using elsewhere = new Database({ url: api.databaseUrl, poolSize: 4 });
  Object.defineProperty(elsewhere, 'readsFrom', { value: { url: 'postgresql://nobody@127.0.0.1:1/none' } });
  const { text, log } = await byThreads(await openTree(false), true, { database: elsewhere });
  expect(text === (await atOnce(await openTree(false), true))).toBe(true);
  expect(log[0]).toMatchObject({ event: 'export_thread_failed' });
});

test('over HTTP a large tree comes from threads, and a client that goes away ends it', async () => {
  const path = `/repositories/${repoId}/resource_descriptions/${id}.xml?include_unpublished=true&include_daos=true&numbered_cs=true`;
  const reply = await api.get(path);
  expect(reply.headers.get('content-type')).toBe('application/xml');
  const body = (text: string): string => text.slice(text.indexOf('<dsc'));
  expect(body(reply.text) === body(await atOnce(await openTree(false), true))).toBe(true);
  const connections = async (): Promise<number> =>
    (
      await api.database.withClient((client) =>
        client.query(
          `SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'muniment-exports' AND datname = current_database()`,
        ),
      )
    ).rows[0].n;
  expect(await connections()).toBeGreaterThan(0);
  const leaving = new AbortController();
  const begun = await fetch(`${api.url}${path}`, {
    headers: { 'x-service-session': api.session },
    signal: leaving.signal,
  });
  await begun.body?.getReader().read();
  leaving.abort();
  expect((await api.get(path)).text.endsWith('</ead>\n')).toBe(true);
});
