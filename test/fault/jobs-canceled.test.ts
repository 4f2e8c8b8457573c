// Every job that a client can cancel, canceled over HTTP while a real worker is in the middle of it: held by somebody's lock, so that it is
// in a statement that would not end by itself. It ends at once, nothing of it stays, and the next job of its mailbox runs.
import { read as readWorkbook, utils, write as writeWorkbook } from '@e965/xlsx';
import { parse } from 'csv-parse/sync';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { directComponents } from '#domain/calculators/calculated.ts';
import { jobs } from '#domain/jobs/index.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import { column, NumberRow } from '#store/connection/columns.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import { writeBlob } from '#store/files/blobs.ts';
import type { Reply, TestApi } from '../support/api.ts';
import { idOf, ok, startTestApi } from '../support/api.ts';
import { endOfJob, postJob } from '../support/api-jobs.ts';
import type { Hold } from '../support/held-table.ts';
import { holding } from '../support/held-table.ts';
import { untilIndexed } from '../support/indexer.ts';
import { largeTree } from '../support/large-tree.ts';
import { marcField, marcRecord } from '../support/marc-document.ts';
import { personBody, resourceBody } from '../support/records.ts';
import type { S3Server } from '../support/s3-server.ts';
import { startS3 } from '../support/s3-server.ts';
import { csv, sheetOf } from '../support/sheet-job.ts';

let api: TestApi;
let s3: S3Server;
let repoId = 0;
let R = '';
let made = 0;
beforeAll(async () => {
  s3 = await startS3();
  // Files are in the database, so that there are some to move.
  const files = { ...s3.environment(), MUNIMENT_FILES_NEW: 'database' };
  api = await startTestApi({ environment: { MUNIMENT_SLUGS: 'title', MUNIMENT_ARKS: 'true', ...files } });
  repoId = await api.repository();
  R = `/repositories/${repoId}`;
});
afterAll(async () => {
  expect((await checkDatabase(api.database)).filter(({ count }) => count > 0)).toEqual([]);
  await api[Symbol.asyncDispose]();
  await s3[Symbol.asyncDispose]();
});

const next = (): string => `C${(made += 1)}`;
const component = (resource: string, title: string, more: object = {}) =>
  api.create(`${R}/archival_objects`, { title, level: 'file', resource: { ref: resource }, ...more });
const boxed = (box: string) => ({
  instances: [{ instance_type: 'mixed_materials', sub_container: { top_container: { ref: box } } }],
});

/** A resource with two components, the second of which has one below it; all in a box. */
async function tree(): Promise<{ readonly resource: string; readonly nodes: readonly string[] }> {
  const name = next();
  const box = await api.create(`${R}/top_containers`, { indicator: name, type: 'box' });
  const resource = await api.create(`${R}/resources`, resourceBody(name, { ead_id: name, publish: false }));
  const [two, one] = [await component(resource, 'Two', boxed(box)), await component(resource, 'One', boxed(box))];
  return { resource, nodes: [one, two, await component(resource, 'Three', { parent: { ref: two } })] };
}

/** A resource of which a job adds up the parts. */
const large = (): Promise<string> => largeTree(api, repoId, { code: next(), count: directComponents + 1 });

/** How a client asks for a job, as often as the test wants. */
type Asking = () => Promise<Reply>;
const later =
  (
    path: string,
    { method = 'POST', json, body }: { readonly method?: string; readonly json?: object; readonly body?: string } = {},
  ): Asking =>
  () =>
    api.ask(path, {
      method,
      headers: { prefer: 'respond-async' },
      ...(json === undefined ? {} : { json }),
      ...(body === undefined ? {} : { body }),
    });
const job =
  (type: string, given: object = {}, request: Parameters<typeof postJob>[3] = {}): Asking =>
  () =>
    postJob(api, repoId, { jsonmodel_type: type, ...given }, request);
const merge = (destination: string, candidate: string) => ({
  merge_destination: { ref: destination },
  merge_candidates: [{ ref: candidate }],
});

// Whoever writes waits before the change log, with rows written already; whoever only reads, before the boxes of the tree.
const changes: Hold = { table: 'change', against: 'writers' };
const boxes: Hold = { table: 'record_top_container', against: 'all' };
const components: Hold = { table: 'record_archival_object', against: 'all' };

type Case = { readonly name: string; readonly hold: Hold; readonly prepare: () => Promise<Asking> };
const cases: readonly Case[] = [
  {
    name: 'batch-import',
    hold: changes,
    prepare: async () => {
      const name = next();
      const resource = { jsonmodel_type: 'resource', uri: `${R}/resources/import_${name}`, ...resourceBody(name) };
      return later(`${R}/batch_imports`, {
        body: JSON.stringify([
          resource,
          {
            jsonmodel_type: 'archival_object',
            uri: `${R}/archival_objects/import_1`,
            title: 'A',
            level: 'file',
            resource: { ref: resource.uri },
          },
        ]),
      });
    },
  },
  {
    name: 'bulk-update',
    hold: changes,
    prepare: async () => {
      const { resource, nodes } = await tree();
      const form = new URLSearchParams([
        ...nodes.map((uri): [string, string] => ['uri[]', uri]),
        ['resource_uri', resource],
      ]);
      const reply = await fetch(`${api.url}/bulk_archival_object_updater${R}/generate_spreadsheet`, {
        method: 'POST',
        headers: { 'x-service-session': api.session },
        body: form,
      });
      const book = readWorkbook(Buffer.from(await reply.arrayBuffer()));
      const table = utils.sheet_to_json<string[]>(book.Sheets['Updates'] ?? {}, { header: 1 });
      const title = table[1]?.indexOf('title') ?? -1;
      for (const row of table.slice(2)) row[title] = `Changed ${row[title]}`;
      book.Sheets['Updates'] = utils.aoa_to_sheet(table);
      return job(
        'bulk_archival_object_updater_job',
        {},
        {
          file: {
            name: 'updates.xlsx',
            content: writeWorkbook(book, { type: 'buffer', bookType: 'xlsx', bookSST: true }),
          },
        },
      );
    },
  },
  {
    name: 'bulk-update-sheet',
    hold: boxes,
    prepare: async () => {
      const { resource, nodes } = await tree();
      const uris = nodes.map((uri) => `uri[]=${uri}`).join('&');
      return later(`/bulk_archival_object_updater${R}/generate_spreadsheet?${uris}&resource_uri=${resource}`);
    },
  },
  {
    name: 'calculate-dates',
    hold: components,
    prepare: async () => later(`/date_calculator?record_uri=${await large()}`, { method: 'GET' }),
  },
  {
    name: 'calculate-extent',
    hold: { table: 'record_container_profile', against: 'all' },
    prepare: async () => later(`/extent_calculator?record_uri=${await large()}`, { method: 'GET' }),
  },
  {
    name: 'creation-template',
    hold: components,
    prepare: async () => {
      const { resource } = await tree();
      return later(`${resource}/templates/top_container_creation.csv`, { method: 'GET' });
    },
  },
  {
    name: 'container-labels',
    hold: boxes,
    prepare: async () => job('container_labels_job', { source: (await tree()).resource }),
  },
  {
    name: 'delete-repository',
    hold: changes,
    prepare: async () => {
      const id = await api.repository();
      await api.create(`/repositories/${id}/accessions`, { id_0: 'A', accession_date: '2020-01-01' });
      return later(`/repositories/${id}`, { method: 'DELETE' });
    },
  },
  {
    name: 'duplicate-resource',
    hold: changes,
    prepare: async () => job('resource_duplicate_job', { source: (await tree()).resource }),
  },
  {
    name: 'find-and-replace',
    hold: changes,
    prepare: async () =>
      job('find_and_replace_job', {
        find: 'T',
        replace: 'D',
        record_type: 'archival_object',
        property: 'title',
        base_record_uri: (await tree()).resource,
      }),
  },
  {
    name: 'generate-arks',
    hold: changes,
    prepare: async () => {
      await withoutNames();
      return job('generate_arks_job');
    },
  },
  {
    name: 'generate-slugs',
    hold: changes,
    prepare: async () => {
      await withoutNames();
      return job('generate_slugs_job');
    },
  },
  {
    name: 'import-format',
    hold: changes,
    prepare: async () => {
      const record = marcRecord(
        `${marcField('245', '1', '0', { a: 'Papers', f: '1900' })}${marcField('099', ' ', ' ', { a: next() })}${marcField('300', ' ', ' ', { a: '3 volumes' })}`,
      );
      return job(
        'import_job',
        { filenames: ['a.xml'], import_type: 'marcxml' },
        { file: { name: 'a.xml', content: record } },
      );
    },
  },
  {
    name: 'link-containers',
    hold: changes,
    prepare: async () => {
      const { resource } = await tree();
      const table: string[][] = parse((await api.get(`${resource}/templates/top_container_creation.csv`)).text);
      const cells: { readonly [code: string]: string } = {
        instance_type: 'text',
        top_container_type: 'box',
        top_container_indicator: next(),
      };
      const filled = table.map((row, index) =>
        index < 4 ? row : row.map((cell, column) => cells[table[2]?.[column] ?? ''] ?? cell),
      );
      return job(
        'top_container_linker_job',
        { resource_id: String(idOf(resource)), filename: 'x.csv', content_type: 'csv' },
        { params: { rid: idOf(resource) }, file: { name: 'x.csv', content: csv(filled) } },
      );
    },
  },
  {
    name: 'load-sheet',
    hold: changes,
    prepare: async () => {
      const { resource } = await tree();
      const content = csv(
        sheetOf([{ res_uri: resource, title: 'Loaded', hierarchy: '1', level: 'file', begin: '1900' }]),
      );
      return job(
        'bulk_import_job',
        { resource_id: String(idOf(resource)), filename: 'x.csv', load_type: 'ao', content_type: 'csv', format: 'csv' },
        { params: { rid: idOf(resource) }, file: { name: 'x.csv', content } },
      );
    },
  },
  {
    name: 'load-records',
    hold: changes,
    prepare: async () =>
      later('/system/load?into_filled=true', {
        body: JSON.stringify({
          jsonmodel_type: 'subject',
          uri: '/subjects/9001',
          source: 'local',
          vocabulary: '/vocabularies/1',
          terms: [
            {
              jsonmodel_type: 'term',
              uri: '/terms/9001',
              term: 'T',
              term_type: 'topical',
              vocabulary: '/vocabularies/1',
            },
          ],
          lock_version: 3,
        }),
      }),
  },
  {
    name: 'merge-records',
    hold: changes,
    prepare: async () => later('/merge_requests/agent', { json: await twoPeople() }),
  },
  {
    name: 'move-nodes',
    hold: changes,
    prepare: async () => {
      const {
        nodes: [one = '', two = ''],
      } = await tree();
      return later(`${one}/parent?parent=${idOf(two)}&position=0`);
    },
  },
  {
    name: 'print-finding-aid',
    hold: boxes,
    prepare: async () => job('print_to_pdf_job', { source: (await tree()).resource, include_unpublished: true }),
  },
  {
    name: 'move-files',
    hold: { table: 'stored_object', against: 'all' },
    prepare: async () => {
      await writeBlob(api.database, [Buffer.from('a file')]);
      return later('/system/files/move?to=s3');
    },
  },
  { name: 'publish-records', hold: changes, prepare: async () => later(`${(await tree()).resource}/publish`) },
  {
    name: 'reindex',
    hold: { table: 'search_doc', against: 'all' },
    prepare: async () => {
      await tree();
      return later('/system/reindex?kind[]=archival_object');
    },
  },
  {
    name: 'delete-record',
    hold: changes,
    prepare: async () => later(await large(), { method: 'DELETE' }),
  },
  {
    name: 'delete-records',
    hold: changes,
    prepare: async () => later(`/batch_delete?record_uris[]=${await large()}`),
  },
  {
    name: 'remove-ns2',
    hold: changes,
    prepare: async () => {
      const note = {
        jsonmodel_type: 'note_multipart',
        type: 'odd',
        subnotes: [{ jsonmodel_type: 'note_text', content: 'See <extref ns2:href="https://example.org/a">a</extref>' }],
      };
      await api.create(`${R}/resources`, resourceBody(next(), { notes: [note] }));
      return job('ns2_remover_job');
    },
  },
  {
    name: 'report',
    hold: { table: 'record_accession', against: 'all' },
    prepare: async () => job('report_job', { report_type: 'accession_report', format: 'csv' }),
  },
  {
    name: 'sort-children',
    hold: changes,
    prepare: async () => job('sort_children_job', { parent: (await tree()).resource, sort_by: ['title'] }),
  },
  {
    name: 'suppress-records',
    hold: changes,
    prepare: async () => later(`${(await tree()).resource}/suppressed?suppressed=true`),
  },
  {
    name: 'transfer-component',
    hold: changes,
    prepare: async () => {
      const {
        nodes: [, two = ''],
      } = await tree();
      return later(`${R}/component_transfers?target_resource=${(await tree()).resource}&component=${two}`);
    },
  },
  {
    name: 'transfer-record',
    hold: changes,
    prepare: async () =>
      later(`${(await tree()).resource}/transfer?target_repo=/repositories/${await api.repository()}`),
  },
  {
    name: 'transfer-repository',
    hold: changes,
    prepare: async () => {
      const from = await api.repository();
      await api.create(`/repositories/${from}/accessions`, { id_0: 'A', accession_date: '2020-01-01' });
      return later(`/repositories/${from}/transfer?target_repo=/repositories/${await api.repository()}`);
    },
  },
  {
    name: 'trim-whitespace',
    hold: changes,
    prepare: async () => {
      const {
        nodes: [one = ''],
      } = await tree();
      await api.database.transaction((tx) =>
        tx.run(
          sql`UPDATE record SET body = replace(body::text, '"One"', '" One "')::json WHERE kind = 'archival_object' AND id = ${idOf(one)}`,
        ),
      );
      return job('trim_whitespace_job');
    },
  },
  {
    name: 'undo-merge',
    hold: changes,
    prepare: async () => {
      const merged = await api.post('/merge_requests/agent', await twoPeople());
      ok(merged);
      return later(`${/<(.*?)>/.exec(merged.headers.get('link') ?? '')?.[1] ?? ''}/undo`);
    },
  },
];

async function twoPeople(): Promise<object> {
  const name = next();
  return merge(
    await api.create('/agents/people', personBody(`${name} kept`)),
    await api.create('/agents/people', personBody(`${name} gone`)),
  );
}

/** A tree whose records have lost the names that the service gave them. */
async function withoutNames(): Promise<void> {
  const { resource } = await tree();
  await api.database.transaction(async (tx) => {
    await tx.run(
      sql`UPDATE record SET body = with_property(with_property(body, 'ark_name', NULL), 'slug', NULL) WHERE kind = 'resource' AND id = ${idOf(resource)}`,
    );
    await tx.run(
      sql`DELETE FROM unique_key WHERE kind = 'resource' AND id = ${idOf(resource)} AND rule IN ('ark', 'slug')`,
    );
  });
}

// What the job itself is, what follows the change log behind it, and uploads that a job names.
const ofTheService =
  /^(job|job_log|job_file|job_progress|blob|blob_chunk|stored_object|feed.*|follower|sequencer|session|reindex_due|reindex_fan|search_.*|oai_.*)$/;

/** A digest of every table of the archive, and the number of files that no job names. */
async function state(): Promise<object> {
  const tables = await api.database.reader.any(sql.type(z.strictObject({ name: column.text }))`
    SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace ORDER BY 1`);
  const digests = await Promise.all(
    tables
      .filter(({ name }) => !ofTheService.test(name))
      .map(async ({ name }) => [
        name,
        (
          await api.database.reader.one(sql.type(z.strictObject({ digest: column.text }))`
            SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, '' ORDER BY t::text)), '') AS digest FROM ${sql.identifier([name])} AS t`)
        ).digest,
      ]),
  );
  const { files } = await api.database.reader.one(sql.type(z.strictObject({ files: column.int }))`
    SELECT count(*)::int AS files FROM blob WHERE id NOT IN (SELECT blob_id FROM job_file)`);
  return { ...Object.fromEntries(digests), files };
}

const finished = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/;

test.each(cases)('$name', async ({ hold, prepare }) => {
  const ask = await prepare();
  const before = await state();
  const uri = await holding(api.database, hold, async (isMet) => {
    const asked = await ask();
    expect([200, 202], asked.text).toContain(asked.status);
    const { uri, id } = asked.json;
    await isMet();
    // The first to wait may be the indexer, which the table is held against as well.
    await expect.poll(async () => (await api.get(uri)).json.status).toBe('running');
    expect(ok(await api.post(`${uri}/cancel`))).toEqual({
      status: 'Updated',
      id,
      lock_version: expect.any(Number),
      stale: null,
    });
    // Still held: nothing but the cancel can have ended it.
    await expect.poll(async () => (await api.get(uri)).json.time_finished).toMatch(finished);
    return uri;
  });
  expect(await state()).toEqual(before);
  const ended = ok(await api.get(uri));
  expect(ended).toMatchObject({ status: 'canceled', inactive_record: false });
  expect([ended.has_modified_records, ended.queue_position, ended.progress, ended.result]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect((await api.get(`${uri}/log`)).text).toMatch(/(^|\n)The job was canceled\n$/);
  // A second cancel changes nothing.
  expect(ok(await api.post(`${uri}/cancel`))).toEqual({
    status: 'Updated',
    id: idOf(uri),
    lock_version: ended.lock_version,
    stale: null,
  });
  expect(ok(await api.get(uri))).toEqual(ended);
  const again = (await ask()).json.uri;
  await expect.poll(async () => (await api.get(again)).json.status).toMatch(/^(completed|failed)$/);
  expect(ok(await api.get(again)), (await api.get(`${again}/log`)).text).toMatchObject({ status: 'completed' });
  if (hold === changes) expect(await state()).not.toEqual(before);
});

test('a job that waits for another of its mailbox ends at once, and its log says so', async () => {
  const { resource } = await tree();
  const sort = job('sort_children_job', { parent: resource, sort_by: ['title'] });
  await holding(api.database, changes, async (isMet) => {
    const first = ok(await sort());
    await isMet();
    const second = ok(await sort());
    expect(ok(await api.get(second.uri))).toMatchObject({ status: 'queued', queue_position: 0 });
    ok(await api.post(`${second.uri}/cancel`));
    expect(ok(await api.get(second.uri))).toMatchObject({
      status: 'canceled',
      time_finished: expect.stringMatching(finished),
    });
    expect((await api.get(`${second.uri}/log`)).text).toBe('The job was canceled\n');
    ok(await api.post(`${first.uri}/cancel`));
    expect(await endOfJob(api, first.uri)).toMatchObject({ status: 'canceled' });
  });
});

describe('indexing anew that is canceled', () => {
  const fans = async (): Promise<number> =>
    (
      await api.database.reader.one(sql.type(NumberRow)`
      SELECT count(*)::int AS n FROM reindex_fan WHERE way = 'kind'`)
    ).n;
  const indexed = async (): Promise<number> =>
    (
      await api.database.reader.one(sql.type(NumberRow)`
        SELECT count(*)::int AS n FROM search_doc WHERE kind = 'location'`)
    ).n;
  // More than three loops can make due that fill the lane one after another.
  const count = 20_000;
  beforeAll(async () => {
    // The indexer is to stand still at this, and not at what the tests above have made.
    await untilIndexed(api.database);
    await api.database.transaction((tx) =>
      tx.run(
        sql`INSERT INTO record (kind, id, label, body) SELECT 'location', 1000 + n, 'Shelf ' || n, json_build_object('jsonmodel_type', 'location', 'building', 'Depot') FROM generate_series(1, ${count}::int) AS n`,
      ),
    );
  });
  afterEach(() =>
    expect
      .poll(async () =>
        api.database.reader.one(sql.type(AnyRow)`
          SELECT (SELECT count(*)::int FROM reindex_fan) AS fans, (SELECT count(*)::int FROM reindex_due) AS due`),
      )
      .toEqual({ fans: 0, due: 0 }),
  );

  /** Cancels while the indexer stands still; `during` runs with a fan left, and its end is waited for before the indexer goes on. */
  const canceled = (during: (cancel: () => Promise<void>) => Promise<void>): Promise<void> =>
    holding(api.database, { table: 'search_doc', against: 'all' }, async (isMet) => {
      const { uri } = (await api.post('/system/reindex?kind[]=location')).json;
      // All of its loops: one that still fills the lane holds the fan, which then stays until it comes to it again. The first indexes the job.
      await isMet(4);
      await expect.poll(async () => (await api.get(uri)).json.progress?.label).toBe('Indexing');
      await expect.poll(fans).toBe(1);
      await during(async () => {
        ok(await api.post(`${uri}/cancel`));
        await expect.poll(async () => (await api.get(uri)).json.time_finished).toMatch(finished);
      });
    });

  it('leaves the lane with what it had not come to', async () => {
    await canceled(async (cancel) => {
      await cancel();
      await expect.poll(fans).toBe(0);
    });
  });

  it('ends at once while the indexer is at it, and goes no further', async () => {
    await canceled((cancel) =>
      api.database.withClient(async (client) => {
        await client.query('BEGIN READ WRITE');
        await client.query('SELECT FROM reindex_fan FOR UPDATE');
        await cancel();
        await client.query('ROLLBACK');
        expect(await fans()).toBe(1);
      }),
    );
    await expect.poll(fans).toBe(0);
    expect(await indexed()).toBeLessThan(count);
  });
});

test('every job that clients can ask for has such a test', () => {
  // Expiry goes by the clock: nobody owns it, and no address leads to it. A migration waits for its source and for no table
  // (test/integration/worker/jobs/migrate-from.test.ts).
  const others = ['expire', 'lead-back', 'migrate-from', ...cases.map(({ name }) => name)];
  expect(Object.keys(jobs).filter((name) => !others.includes(name))).toEqual([]);
});
