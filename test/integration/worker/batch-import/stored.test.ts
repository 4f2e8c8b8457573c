// What an import stores: the same as single requests would.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseUri } from '#domain/addresses.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import { column, NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { deleteRepository } from '#store/repositories/repositories.ts';
import type { Importer } from '#test/support/batch.ts';
import { openImporter, whileImporting } from '#test/support/batch.ts';
import { batchRecords } from '#test/support/make/batch-records.ts';
import { personBody, resourceBody } from '#test/support/records.ts';
import { AnyRow } from '#test/support/rows.ts';

let importer: Importer;
beforeAll(async () => {
  importer = await openImporter();
});
afterAll(async () => importer[Symbol.asyncDispose]());
const { inBox, fresh, temporary, resource, component, subject, person, container, realUri, childrenOf } = batchRecords(
  () => importer,
);

const waitingForLocks = sql.type(AnyRow)`
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** A body without what differs between two equal records: ids, times, users. */
function shapeOf(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((item: Json) => shapeOf(item) ?? null);
  if (!isObject(value))
    return typeof value === 'string' ? value.replace(/\/\d+/g, '/N').replace(/^[0-9a-f]{32}$/, 'hex') : value;
  const left = new Set([
    'created_by',
    'last_modified_by',
    'create_time',
    'system_mtime',
    'user_mtime',
    'id_0',
    'title',
    'display_string',
    'position',
    'identifier',
  ]);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !left.has(key))
      .map(([key, item]) => [key, shapeOf(item)]),
  );
}

describe('a repository that is deleted meanwhile', () => {
  test('goes with all that the import has stored', async () => {
    const { id } = await importer.create('repository', { repo_code: fresh(), name: 'Going' });
    const body = { ...resource(fresh()), uri: `/repositories/${id}/resources/import_${fresh()}` };
    const removing: Promise<void>[] = [];
    let isDeleted = false;
    await importer.run([body], {
      repoId: id,
      betweenPasses: async () => {
        removing.push(
          whileImporting(() => importer.database.transaction((tx) => deleteRepository(tx, id, 'tester'))).then(() => {
            isDeleted = true;
          }),
        );
        await expect
          .poll(
            async () =>
              isDeleted || (await whileImporting(() => importer.database.reader.any(waitingForLocks))).length > 0,
          )
          .toBe(true);
      },
    });
    await Promise.all(removing);
    const { n } = await importer.database.reader.one(
      sql.type(NumberRow)`SELECT count(*)::int AS n FROM record WHERE repo_id = ${id}`,
    );
    expect(n).toBe(0);
  });
});

describe('a record that was there', () => {
  test('is re-dated where a record of the import writes a link that both show', async () => {
    const [linked, beside] = [
      await importer.create('resource', resourceBody(fresh())),
      await importer.create('resource', resourceBody(fresh())),
    ];
    await importer.database.transaction((tx) =>
      tx.run(sql`UPDATE record SET system_mtime = '2001-01-01' WHERE kind = 'resource'`),
    );
    const accession = {
      jsonmodel_type: 'accession',
      uri: temporary('accessions', fresh()),
      id_0: fresh(),
      accession_date: '2020-01-01',
      related_resources: [{ ref: linked.uri }],
    };
    await importer.run([accession]);
    expect(await importer.read(linked.uri)).toMatchObject({
      lock_version: 0,
      system_mtime: expect.not.stringMatching(/^2001/),
      related_accessions: [{}],
    });
    expect(await importer.read(beside.uri)).toMatchObject({ system_mtime: expect.stringMatching(/^2001/) });
  });
});

describe('a record that a batch relates to', () => {
  test('is re-dated, also where another record of the batch names it first without showing on it', async () => {
    const agent = await importer.create('agent_person', personBody(fresh()));
    await importer.database.transaction((tx) =>
      tx.run(sql`UPDATE record SET system_mtime = '2001-01-01' WHERE kind = 'agent_person' AND id = ${agent.id}`),
    );
    const relation = {
      jsonmodel_type: 'agent_relationship_associative',
      relator: 'is_associative_with',
      ref: agent.uri,
    };
    await importer.run(
      [
        resource(fresh(), { linked_agents: [{ role: 'creator', ref: agent.uri }] }),
        person(fresh(), fresh(), { related_agents: [relation] }),
      ],
      { blockBytes: 100_000 },
    );
    expect(await importer.read(agent.uri)).toMatchObject({
      related_agents: [{}],
      system_mtime: expect.not.stringMatching(/^2001/),
    });
  });
});

describe('slugs', () => {
  test('that are taken do not stop an import: the later record gets the next number', async () => {
    const numbers = [fresh(), fresh(), fresh()];
    const slugged = (n: number, slug: string) => resource(numbers[n] ?? '', { slug, is_slug_auto: false });
    const imported = await importer.run([slugged(0, 'twice'), slugged(1, 'Twice'), slugged(2, 'twice_2')]);
    const uris = numbers.map((n) => realUri(imported, temporary('resources', n)));
    const slugs = async () => Promise.all(uris.map(async (uri) => (await importer.read(uri))['slug']));
    expect(await slugs()).toEqual(['twice', 'Twice_1', 'twice_2']);
    const again = await importer.run([resource(fresh(), { slug: 'twice' })]);
    expect(await importer.read(Object.values(again.saved)[0]?.[0] ?? '')).toMatchObject({ slug: 'twice_3' });
    expect((await checkDatabase(importer.database)).filter(({ count }) => count > 0)).toEqual([]);
  });
});

describe('positions', () => {
  test.each([false, true])(
    'order siblings, ties in the order of the file, gaps close (migration %s)',
    async (migration) => {
      const k = fresh();
      const placed = (n: number, position?: number): JsonObject =>
        component(`${k}-${n}`, k, position === undefined ? {} : { position });
      const imported = await importer.run(
        [placed(1, 5), placed(2, 0), placed(3, 5), placed(4), placed(5, 90), placed(6, 0), resource(k)],
        { migration },
      );
      expect(await childrenOf(realUri(imported, temporary('resources', k)))).toEqual({
        root: [2, 6, 1, 3, 5, 4].map((n) => `AO ${k}-${n}`),
      });
      expect(await importer.read(realUri(imported, temporary('archival_objects', `${k}-5`)))).toMatchObject({
        position: 4,
      });
    },
  );

  test('of many siblings in reverse are read back', async () => {
    const k = fresh();
    const imported = await importer.run(
      [resource(k), ...Array.from({ length: 700 }, (_, n) => component(`${k}-${n}`, k, { position: 699 - n }))],
      { blockBytes: 20_000 },
    );
    expect((await childrenOf(realUri(imported, temporary('resources', k))))['root']).toEqual(
      Array.from({ length: 700 }, (_, n) => `AO ${k}-${699 - n}`),
    );
  });
});

describe('what is stored', () => {
  test('nothing for an empty array', async () => {
    expect(await importer.run('[]')).toMatchObject({ total: 0, created: {}, saved: {} });
  });

  test('is the same as what single creates store', async () => {
    const k = fresh();
    const imported = await importer.run([
      resource(k),
      component(`${k}-1`, k, {
        ...inBox(k),
        notes: [
          {
            jsonmodel_type: 'note_multipart',
            type: 'scopecontent',
            subnotes: [{ jsonmodel_type: 'note_text', content: 'Tabs\t, lines\n, \\ and "quotes" – ✓' }],
          },
        ],
      }),
      container(k),
      subject(k, [`S${k}`]),
      person(k, `P${k}`),
    ]);
    const plain = { uri: undefined, jsonmodel_type: undefined };
    const root = await importer.create('resource', resourceBody(fresh()));
    const box = await importer.create('top_container', { ...container(k), ...plain });
    const single = await importer.create('archival_object', {
      ...component(`${k}-1`, k),
      ...plain,
      resource: { ref: root.uri },
      instances: [
        {
          jsonmodel_type: 'instance',
          instance_type: 'mixed_materials',
          sub_container: { jsonmodel_type: 'sub_container', top_container: { ref: box.uri } },
        },
      ],
      notes: [
        {
          jsonmodel_type: 'note_multipart',
          type: 'scopecontent',
          subnotes: [{ jsonmodel_type: 'note_text', content: 'Tabs\t, lines\n, \\ and "quotes" – ✓' }],
        },
      ],
    });
    const other = await importer.create('subject', { ...subject(k, [`S2${k}`]), ...plain });
    const agent = await importer.create('agent_person', personBody(`P2${k}`));
    const pairs = [
      [temporary('resources', k), root.uri],
      [temporary('archival_objects', `${k}-1`), single.uri],
      [temporary('top_containers', k), box.uri],
      [`/subjects/import_${k}`, other.uri],
      [`/agents/people/import_${k}`, agent.uri],
    ];
    for (const [mine, theirs] of pairs) {
      const text = (record: JsonObject): string =>
        JSON.stringify(shapeOf(record))
          .replaceAll(`S2${k}`, `S${k}`)
          .replaceAll(`P2${k}`, `P${k}`)
          .replace(/\bb\d+/g, 'b');
      expect(text(await importer.read(realUri(imported, mine)))).toBe(text(await importer.read(theirs ?? '')));
    }
    const rows = async (uri: string): Promise<unknown> => {
      const { kind = '', id = 0 } = parseUri(uri) ?? {};
      return importer.database.reader.any(sql.type(AnyRow)`
        SELECT ordinal, property, target_kind, role, mutual, ref::text, repo_id FROM link WHERE source_kind = ${kind} AND source_id = ${id} ORDER BY ordinal`);
    };
    for (const [mine, theirs] of pairs) expect(await rows(realUri(imported, mine))).toEqual(await rows(theirs ?? ''));
  });

  test('is told in the change log as ranges, terms included', async () => {
    const k = fresh();
    const from = (
      await importer.database.reader.one(sql.type(z.strictObject({ seq: column.int }))`
        SELECT coalesce(max(seq), 0) AS seq FROM change`)
    ).seq;
    const imported = await importer.run(
      [
        resource(k),
        subject(k, [`C${k}`, `D${k}`]),
        ...Array.from({ length: 1500 }, (_, n) => component(`${k}-${n}`, k)),
      ],
      { blockBytes: 100_000 },
    );
    const rows = await importer.database.reader.any(
      sql.type(
        z.strictObject({
          kind: column.text,
          count: column.int,
          op: column.text,
          actor: column.text,
          repo_id: column.maybeInt,
        }),
      )`SELECT kind, array_length(ids, 1) AS count, op, actor, repo_id FROM change WHERE seq > ${from} AND kind <> 'notification' ORDER BY seq`,
    );
    const total = (kind: string): number =>
      rows.filter((row) => row.kind === kind).reduce((sum, row) => sum + row.count, 0);
    expect({
      resource: total('resource'),
      subject: total('subject'),
      term: total('term'),
      archival_object: total('archival_object'),
    }).toEqual({ resource: 1, subject: 1, term: 2, archival_object: 1500 });
    expect(rows.every((row) => row.op === 'create' && row.actor === 'importer' && row.count <= 1000)).toBe(true);
    expect(rows.filter((row) => row.kind === 'archival_object').every((row) => row.repo_id === importer.repoId)).toBe(
      true,
    );
    expect(imported.created).toMatchObject({ archival_object: 1500 });
  });
});
