// EAD 2002 and EAD3 documents of the real-data folder as an import job, each into a repository of its own: what the reader gave is in the
// database, nothing more and nothing less, and a second import of the same document is refused and leaves nothing. Every one of them in long runs;
// else of those up to 200 KB the ones that between them have every element that any has: what the reader makes of elements within each other and of
// attributes is looked at by ead-real-documents.test.ts, and imported by that of exports.
// The folder is not part of the repository; without it this file skips, and says so.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '#domain/json.ts';
import { objectsOf } from '#domain/json.ts';
import { readEad } from '#domain/formats/ead/reading/read.ts';
import { readLists } from '#store/enumerations/completed-lists.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { readLabels } from '../../apps/worker/formats/labels.ts';
import type { ImportJobs } from '../support/import-job.ts';
import { openImportJobs, runImportJob } from '../support/import-job.ts';
import { upTo } from '../support/long.ts';
import { elementsOf, mostDifferent } from '../support/most-different.ts';
import { inChunks, readArchive, readManifest, realDataFolder } from '../support/real-data.ts';
import type { ArchiveFile } from '../support/real-data.ts';

const folder = realDataFolder();
const files: readonly ArchiveFile[] = folder === undefined ? [] : readArchive(folder, 'ead.tar.gz');
const isEad3 = new Map(
  (folder === undefined ? [] : readManifest(folder, 'ead')).map((row) => [row['file'], row['flags']?.includes('EAD3')]),
);
const imported = [true, false].flatMap((version) =>
  mostDifferent(
    upTo(files, 200_000).filter(({ name }) => (isEad3.get(name) ?? false) === version),
    elementsOf,
  ),
);
// The largest documents take seconds each; that a second import is refused does not depend on size.
const secondUpTo = 800_000;

let imports: ImportJobs;

/** What must be there: records by kind, and parts of records. */
const Account = z.strictObject({
  kinds: z.record(z.string(), column.int),
  notes: column.int,
  dates: column.int,
  extents: column.int,
  instances: column.int,
  subjects: column.int,
  agents: column.int,
});
type Account = z.infer<typeof Account>;

/** The account of the reader: what the records that it gives hold. */
async function readAccount(file: ArchiveFile, repoId: number): Promise<Account> {
  const lists = new Map((await readLists(imports.database.reader)).map((list) => [list.name, new Set(list.all)]));
  const labels = readLabels();
  const account = {
    kinds: {} as { [kind: string]: number },
    notes: 0,
    dates: 0,
    extents: 0,
    instances: 0,
    subjects: 0,
    agents: 0,
  };
  const isValue = (list: string, value: string): boolean => lists.get(list)?.has(value) ?? false;
  const reading = readEad(inChunks(file.bytes), {
    repositoryUri: `/repositories/${repoId}`,
    importId: 'ac',
    isEnumerationValue: isValue,
    enumerationValueForLabel: (list, label) => {
      const value = labels[list]?.[label.toLowerCase()];
      return value !== undefined && isValue(list, value) ? value : undefined;
    },
  });
  for await (const record of reading) {
    account.kinds[record.jsonmodel_type] = (account.kinds[record.jsonmodel_type] ?? 0) + 1;
    if (record.jsonmodel_type !== 'resource' && record.jsonmodel_type !== 'archival_object') continue;
    const body: JsonObject = record;
    account.notes += objectsOf(body, 'notes').length;
    account.dates += objectsOf(body, 'dates').length;
    account.extents += objectsOf(body, 'extents').length;
    account.instances += objectsOf(body, 'instances').length;
    account.subjects += objectsOf(body, 'subjects').length;
    account.agents += objectsOf(body, 'linked_agents').length;
  }
  return account;
}

/** The account of the database: what is stored of the repository. Agents and subjects, which repositories share, are counted by their links. */
async function storedAccount(repoId: number): Promise<Account> {
  const { reader } = imports.database;
  const kinds = await reader.any(sql.type(z.strictObject({ kind: column.text, count: column.int }))`
    SELECT kind, count(*)::int AS count FROM record WHERE repo_id = ${repoId} GROUP BY 1`);
  const parts = await reader.one(sql.type(Account.pick({ notes: true, dates: true, extents: true, instances: true }))`
    SELECT coalesce(sum(json_array_length(body->'notes')), 0)::int AS notes, coalesce(sum(json_array_length(body->'dates')), 0)::int AS dates,
      coalesce(sum(json_array_length(body->'extents')), 0)::int AS extents, coalesce(sum(json_array_length(body->'instances')), 0)::int AS instances
    FROM record WHERE repo_id = ${repoId} AND kind IN ('resource', 'archival_object')`);
  const links = await reader.one(sql.type(z.strictObject({ subjects: column.int, agents: column.int }))`
    SELECT count(*) FILTER (WHERE property = 'subjects')::int AS subjects, count(*) FILTER (WHERE property = 'linked_agents')::int AS agents
    FROM link WHERE repo_id = ${repoId} AND source_kind IN ('resource', 'archival_object')`);
  return { ...parts, ...links, kinds: Object.fromEntries(kinds.map((row) => [row.kind, row.count])) };
}

const isShared = (kind: string): boolean => kind === 'subject' || kind.startsWith('agent_');

describe.skipIf(folder === undefined)('real EAD 2002 and EAD3 documents', () => {
  beforeAll(async () => {
    imports = await openImportJobs();
  });
  afterAll(() => imports[Symbol.asyncDispose]());

  test('are there', () => expect(files.length).toBeGreaterThan(20));

  test.each(imported.map((file) => [file.name, file] as const))(
    '%s is imported whole, and once',
    async (name, file) => {
      const repository = await imports.create('repository', { repo_code: name.slice(0, 60), name });
      const expected = await readAccount(file, repository.id);
      const ended = await runImportJob(imports.connected, repository.id, [file.bytes]);
      expect(ended.failure, ended.log.slice(-2000)).toBeNull();

      const stored = await storedAccount(repository.id);
      const ofRepository = Object.fromEntries(Object.entries(expected.kinds).filter(([kind]) => !isShared(kind)));
      expect(stored).toEqual({ ...expected, kinds: ofRepository });
      const {
        created = {},
        reused = 0,
        total = 0,
      } = ended.value as { created?: { readonly [kind: string]: number }; reused?: number; total?: number };
      expect(total).toBe(Object.values(expected.kinds).reduce((sum, count) => sum + count, 0));
      expect(Object.values(created).reduce((sum, count) => sum + count, 0) + reused).toBe(total);
      expect(ended.records).toHaveLength(total - reused);
      // Every component has its place, and no place is without one.
      const nodes = await imports.database.reader.one(sql.type(
        z.strictObject({ nodes: column.int, in_buckets: column.int }),
      )`
      SELECT (SELECT count(*)::int FROM tree_node WHERE repo_id = ${repository.id} AND kind = 1) AS nodes, (SELECT coalesce(sum(n), 0)::int FROM tree_bucket WHERE repo_id = ${repository.id} AND kind = 1) AS in_buckets`);
      expect(nodes).toEqual({
        nodes: expected.kinds['archival_object'] ?? 0,
        in_buckets: expected.kinds['archival_object'] ?? 0,
      });

      if (file.bytes.length > secondUpTo) return;
      const before = await imports.contents();
      const again = await runImportJob(imports.connected, repository.id, [file.bytes]);
      expect(again.failure).toMatchObject({ code: 'import_failed' });
      expect(again.log).toMatch(
        /The following errors were found:\n\t(id_0|ead_id|ref_id|digital_object_id|identifier) : /,
      );
      expect(await imports.contents()).toEqual(before);
    },
  );
});
