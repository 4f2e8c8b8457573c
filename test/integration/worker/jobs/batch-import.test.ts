// Batch imports against a real database and real threads: what comes in, in which order, and what is refused without a trace.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseUri } from '#domain/addresses.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import { batchImport } from '#domain/jobs/batch-import.ts';
import { readBlob, writeBlob } from '#store/files/blobs.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { waitForJob } from '#store/queue/reply.ts';
import { column } from '#store/connection/columns.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import { handler } from '../../../../apps/worker/jobs/batch-import.ts';
import type { Importer, Imported } from '../../../support/batch.ts';
import { openImporter, whileImporting } from '../../../support/batch.ts';
import { personBody, resourceBody } from '../../../support/records.ts';
import { connect, startTestWorker } from '../../../support/worker.ts';

let importer: Importer;
let repo = '';
let made = 0;
beforeAll(async () => {
  importer = await openImporter();
  repo = `/repositories/${importer.repoId}`;
});
afterAll(async () => importer[Symbol.asyncDispose]());

const fresh = (): string => `b${(made += 1)}`;
const temporary = (path: string, key: string): string =>
  `${path.startsWith('/') ? '' : `${repo}/`}${path}/import_${key}`;
const resource = (key: string, more: JsonObject = {}): JsonObject => ({
  jsonmodel_type: 'resource',
  uri: temporary('resources', key),
  ...resourceBody(fresh()),
  ...more,
});
const component = (key: string, root: string, more: JsonObject = {}): JsonObject => ({
  jsonmodel_type: 'archival_object',
  uri: temporary('archival_objects', key),
  title: `AO ${key}`,
  level: 'file',
  resource: { ref: temporary('resources', root) },
  ...more,
});
const under = (key: string): JsonObject => ({ parent: { ref: temporary('archival_objects', key) } });
const subject = (key: string, words: readonly string[], more: JsonObject = {}): JsonObject => ({
  jsonmodel_type: 'subject',
  uri: `/subjects/import_${key}`,
  vocabulary: '/vocabularies/1',
  source: 'local',
  terms: words.map((term) => ({ jsonmodel_type: 'term', term, term_type: 'topical', vocabulary: '/vocabularies/1' })),
  ...more,
});
const person = (key: string, name: string, more: JsonObject = {}): JsonObject => ({
  jsonmodel_type: 'agent_person',
  uri: `/agents/people/import_${key}`,
  ...personBody(name),
  ...more,
});
const container = (key: string, more: JsonObject = {}): JsonObject => ({
  jsonmodel_type: 'top_container',
  uri: temporary('top_containers', key),
  indicator: key,
  type: 'box',
  ...more,
});
const inBox = (key: string): JsonObject => ({
  instances: [
    {
      jsonmodel_type: 'instance',
      instance_type: 'mixed_materials',
      sub_container: { jsonmodel_type: 'sub_container', top_container: { ref: temporary('top_containers', key) } },
    },
  ],
});
const realUri = (imported: Imported, temporaryUri: unknown): string =>
  imported.saved[String(temporaryUri)]?.[0] ?? `${String(temporaryUri)} was not saved`;

/** Titles of the nodes of a tree in order, by the uri of their parent. */
async function childrenOf(rootUri: string): Promise<{ readonly [parent: string]: readonly string[] }> {
  const id = parseUri(rootUri)?.id ?? 0;
  const rows = await importer.database.reader.any(sql.type(
    z.strictObject({ parent: column.text, titles: column.texts }),
  )`
    SELECT coalesce(p.label, 'root') AS parent, array_agg(r.label ORDER BY t.bucket, t.ord) AS titles FROM tree_node t JOIN record r ON r.kind = 'archival_object' AND r.id = t.id
    LEFT JOIN record p ON p.kind = 'archival_object' AND p.id = t.parent_id WHERE t.repo_id = ${importer.repoId} AND t.root_id = ${id} GROUP BY 1`);
  return Object.fromEntries(rows.map((row) => [row.parent, row.titles]));
}

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

describe('the global repository', () => {
  test('takes agents and subjects, and no archival records', async () => {
    const accession = {
      jsonmodel_type: 'accession',
      uri: '/repositories/1/accessions/import_g',
      id_0: fresh(),
      accession_date: '2020-01-01',
    };
    const { error } = await importer.refused([person('g', `Global ${fresh()}`), accession], { repoId: 1 });
    expect(error).toMatchObject({
      record_type: 'accession',
      errors: { repository: ['The global repository cannot contain archival records'] },
    });
    expect(Object.keys((await importer.run([person('g', `Global ${fresh()}`)], { repoId: 1 })).saved)).toHaveLength(1);
  });
});

describe('slugs', () => {
  test('that are taken do not stop an import: the record gets another when it is saved', async () => {
    const imported = await importer.run([resource(fresh(), { slug: 'twice' }), resource(fresh(), { slug: 'twice' })]);
    expect(Object.keys(imported.saved)).toHaveLength(2);
  });
});

describe('references', () => {
  test('go forward, backward and in circles among the records of a batch', async () => {
    const k = fresh();
    const imported = await importer.run([
      component(`${k}-2`, k, {
        ...under(`${k}-1`),
        ...inBox(`${k}-b`),
        subjects: [{ ref: `/subjects/import_${k}` }],
        linked_agents: [{ ref: `/agents/people/import_${k}`, role: 'creator' }],
      }),
      component(`${k}-1`, k),
      {
        jsonmodel_type: 'event',
        uri: temporary('events', k),
        event_type: 'ingestion',
        date: { date_type: 'single', label: 'creation', begin: '2001' },
        linked_agents: [{ ref: `/agents/people/import_${k}`, role: 'implementer' }],
        linked_records: [{ ref: temporary('resources', k), role: 'source' }],
      },
      container(`${k}-b`),
      subject(k, [`T${k}`]),
      person(k, `P${k}`),
      resource(k),
    ]);
    expect(imported).toMatchObject({
      total: 7,
      reused: 0,
      created: { archival_object: 2, event: 1, top_container: 1, subject: 1, agent_person: 1, resource: 1 },
    });
    expect(Object.keys(imported.saved)).toHaveLength(7);
    const leaf = await importer.read(realUri(imported, temporary('archival_objects', `${k}-2`)));
    expect(leaf).toMatchObject({
      parent: { ref: realUri(imported, temporary('archival_objects', `${k}-1`)) },
      resource: { ref: realUri(imported, temporary('resources', k)) },
      subjects: [{ ref: realUri(imported, `/subjects/import_${k}`) }],
      linked_agents: [{ ref: realUri(imported, `/agents/people/import_${k}`) }],
      instances: [
        { sub_container: { top_container: { ref: realUri(imported, temporary('top_containers', `${k}-b`)) } } },
      ],
      created_by: 'importer',
    });
    expect(await importer.read(realUri(imported, temporary('resources', k)))).toMatchObject({
      linked_events: [{ ref: realUri(imported, temporary('events', k)) }],
    });
  });

  test('of two records to each other are one link that both sides show', async () => {
    const k = fresh();
    const related = (other: string, relator: string): JsonObject => ({
      related_agents: [
        { jsonmodel_type: 'agent_relationship_parentchild', relator, ref: `/agents/people/import_${other}` },
      ],
    });
    const imported = await importer.run([
      person(`${k}a`, `Parent ${k}`, related(`${k}b`, 'is_parent_of')),
      person(`${k}b`, `Child ${k}`, related(`${k}a`, 'is_child_of')),
    ]);
    const [parent, child] = [
      realUri(imported, `/agents/people/import_${k}a`),
      realUri(imported, `/agents/people/import_${k}b`),
    ];
    expect(
      ((await importer.read(parent))['related_agents'] as readonly JsonObject[]).map((link) => [
        link['relator'],
        link['ref'],
      ]),
    ).toEqual([['is_parent_of', child]]);
    expect(
      ((await importer.read(child))['related_agents'] as readonly JsonObject[]).map((link) => [
        link['relator'],
        link['ref'],
      ]),
    ).toEqual([['is_child_of', parent]]);
  });

  test('written by one side alone show on the other', async () => {
    const k = fresh();
    const imported = await importer.run([
      resource(k, { related_accessions: [{ ref: temporary('accessions', k) }] }),
      {
        jsonmodel_type: 'accession',
        uri: temporary('accessions', k),
        id_0: k,
        title: 'An accession',
        accession_date: '2001-01-01',
      },
    ]);
    expect(await importer.read(realUri(imported, temporary('accessions', k)))).toMatchObject({
      related_resources: [{ ref: realUri(imported, temporary('resources', k)) }],
    });
  });

  test('by a number that also names a stored record mean the record of the batch', async () => {
    const stored = await importer.create('resource', resourceBody(fresh()));
    const own = resource('x', { uri: stored.uri, title: 'Of the batch' });
    const imported = await importer.run([{ ...component(fresh(), 'x'), resource: { ref: stored.uri } }, own]);
    expect(realUri(imported, stored.uri)).not.toBe(stored.uri);
    const node = Object.entries(imported.saved).find(([uri]) => uri.includes('archival_objects'))?.[1][0] ?? '';
    expect(await importer.read(node)).toMatchObject({ resource: { ref: realUri(imported, stored.uri) } });
    expect(await importer.read(stored.uri)).not.toMatchObject({ title: 'Of the batch' });
  });

  test('to stored records of the repository are kept', async () => {
    const stored = await importer.create('resource', resourceBody(fresh()));
    await importer.create('archival_object', { title: 'Old', level: 'file', resource: { ref: stored.uri } });
    const k = fresh();
    await importer.run([
      { ...component(`${k}-1`, 'x'), resource: { ref: stored.uri }, position: 0 },
      { ...component(`${k}-2`, 'x'), resource: { ref: stored.uri } },
    ]);
    expect(await childrenOf(stored.uri)).toEqual({ root: [`AO ${k}-1`, 'Old', `AO ${k}-2`] });
  });

  test('that lead nowhere are refused by name', async () => {
    const k = fresh();
    const failure = await importer.refused([
      resource(k),
      component(`${k}-1`, k),
      component(`${k}-2`, k, { subjects: [{ ref: '/subjects/import_abad1dea' }] }),
    ]);
    expect(failure).toMatchObject({
      code: 'import_failed',
      error: {
        record_title: `AO ${k}-2`,
        record_type: 'archival_object',
        record_number: 3,
        errors: { 'subjects/0': ["Reference does not exist! (Reference: '/subjects/import_abad1dea')"] },
      },
    });
    const far = await importer.refused([
      resource(k),
      component(`${k}-1`, k, { subjects: [{ ref: '/subjects/2000000000' }] }),
      component(`${k}-2`, k, { subjects: [{ ref: '/subjects/2000000001' }] }),
    ]);
    expect(far).toMatchObject({
      error: {
        record_number: 2,
        errors: { 'subjects/0': ["Reference does not exist! (Reference: '/subjects/2000000000')"] },
      },
    });
    const rootless = await importer.refused([component(k, 'nothere')]);
    expect(JSON.stringify(rootless.error)).toContain("Reference does not exist! (Reference: '");
  });

  test('into another repository are refused', async () => {
    const other = await importer.create('repository', { repo_code: fresh(), name: 'Other' });
    const box = await importer.create('top_container', { indicator: '1', type: 'box' }, other.id);
    const k = fresh();
    const failure = await importer.refused([
      resource(k),
      component(k, k, {
        instances: [
          { jsonmodel_type: 'instance', instance_type: 'text', sub_container: { top_container: { ref: box.uri } } },
        ],
      }),
    ]);
    expect(failure).toMatchObject({ code: 'import_failed', error: { record_number: 2 } });
    expect(JSON.stringify(failure.error)).toContain('Inter-repository links are not allowed in this operation!');
    const root = await importer.create('resource', resourceBody(fresh()), other.id);
    expect(
      JSON.stringify((await importer.refused([{ ...component(k, k), resource: { ref: root.uri } }])).error),
    ).toContain('Inter-repository links');
  });

  test('of nodes that are below themselves are refused', async () => {
    const k = fresh();
    const failure = await importer.refused([
      resource(k),
      component(`${k}-0`, k),
      component(`${k}-1`, k, under(`${k}-2`)),
      component(`${k}-2`, k, under(`${k}-1`)),
    ]);
    expect(failure).toMatchObject({
      code: 'import_failed',
      error: {
        record_number: 3,
        errors: { parent: ['Must be a node of the same tree, and not below the record itself'] },
      },
    });
    expect(await importer.refused([resource(k), component(k, k, under(k))])).toMatchObject({
      error: { record_number: 2, errors: { parent: ["Can't relate an object to itself"] } },
    });
  });
});

describe('links to suppressed records', () => {
  test('start suppressed, and those to others do not', async () => {
    const old = await importer.run([resource('hidden-root'), resource('shown-root')]);
    const [hidden, shown] = ['hidden-root', 'shown-root'].map((key) => realUri(old, temporary('resources', key)));
    await importer.database.transaction((tx) =>
      tx.run(
        sql`UPDATE record SET suppressed = true WHERE kind = 'resource' AND id = ${parseUri(hidden ?? '')?.id ?? 0}`,
      ),
    );
    const gifts = await importer.run(
      [hidden, shown].map(
        (ref, n) =>
          ({
            jsonmodel_type: 'accession',
            uri: temporary('accessions', `gift${n}`),
            id_0: fresh(),
            accession_date: '2026-01-01',
            related_resources: [{ ref }],
          }) as JsonObject,
      ),
    );
    const marks = await importer.database.reader.any(sql.type(z.strictObject({ suppressed: column.bool }))`
      SELECT suppressed FROM link WHERE source_kind = 'accession' AND source_id = ANY(${sql.array(
        [0, 1].map((n) => parseUri(realUri(gifts, temporary('accessions', `gift${n}`)))?.id ?? 0),
        'int4',
      )}) ORDER BY source_id`);
    expect(marks.map((mark) => mark.suppressed)).toEqual([true, false]);
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

describe('headings', () => {
  test('equal to stored ones, or to others of the batch, are used in their place', async () => {
    const k = fresh();
    const first = await importer.run([subject(`${k}-0`, [`A${k}`, `B${k}`]), person(`${k}-0`, `P${k}`)]);
    const stored = realUri(first, `/subjects/import_${k}-0`);
    const before = await importer.counts();
    const again = await importer.run(
      [
        subject(`${k}-1`, [`A${k}`, `B${k}`]),
        subject(`${k}-2`, [`A${k}`, `B${k}`]),
        subject(`${k}-3`, [`B${k}`, `A${k}`]),
        subject(`${k}-4`, [`B${k}`, `A${k}`]),
        subject(`${k}-5`, [`B${k}`, `A${k}`], { source: 'lcsh' }),
        person(`${k}-1`, `P${k}`),
        person(`${k}-2`, `Q${k}`),
        person(`${k}-3`, `Q${k}`),
      ],
      { blockBytes: 300 },
    );
    const uris = [1, 2, 3, 4, 5].map((n) => realUri(again, `/subjects/import_${k}-${n}`));
    expect(uris[0]).toBe(stored);
    expect(uris[1]).toBe(stored);
    expect(uris[3]).toBe(uris[2]);
    expect(new Set(uris).size).toBe(3);
    expect(realUri(again, `/agents/people/import_${k}-1`)).toBe(realUri(first, `/agents/people/import_${k}-0`));
    expect(realUri(again, `/agents/people/import_${k}-3`)).toBe(realUri(again, `/agents/people/import_${k}-2`));
    expect(again).toMatchObject({ total: 8, reused: 5, created: { subject: 2, agent_person: 1 } });
    const after = await importer.counts();
    expect((after['record_term'] ?? 0) - (before['record_term'] ?? 0)).toBe(0);
    expect((after['record_subject'] ?? 0) - (before['record_subject'] ?? 0)).toBe(2);
  });

  test('of agents are one by the authority id of the authorised name', async () => {
    const k = fresh();
    const named = (key: string, name: string): JsonObject => ({
      jsonmodel_type: 'agent_person',
      uri: `/agents/people/import_${key}`,
      names: [
        {
          primary_name: name,
          name_order: 'direct',
          sort_name_auto_generate: true,
          authority_id: `id-${k}`,
          source: 'naf',
        },
      ],
    });
    const imported = await importer.run([named(`${k}-1`, 'One'), named(`${k}-2`, 'Other')]);
    expect(realUri(imported, `/agents/people/import_${k}-2`)).toBe(realUri(imported, `/agents/people/import_${k}-1`));
    const later = await importer.run([named(`${k}-3`, 'Third')]);
    expect(realUri(later, `/agents/people/import_${k}-3`)).toBe(realUri(imported, `/agents/people/import_${k}-1`));
  });

  test('may name their terms by uri, and terms may be records of the batch', async () => {
    const k = fresh();
    const first = await importer.run([subject(`${k}-0`, [`T${k}`])]);
    const stored = await importer.read(realUri(first, `/subjects/import_${k}-0`));
    const term = (stored['terms'] as readonly JsonObject[])[0];
    const again = await importer.run([
      { ...subject(`${k}-1`, []), terms: [String(term?.['uri'])] },
      {
        jsonmodel_type: 'term',
        uri: `/terms/import_${k}`,
        term: `U${k}`,
        term_type: 'topical',
        vocabulary: '/vocabularies/1',
      },
      { ...subject(`${k}-2`, []), terms: [`/terms/import_${k}`] },
    ]);
    expect(realUri(again, `/subjects/import_${k}-1`)).toBe(realUri(first, `/subjects/import_${k}-0`));
    const made = await importer.read(realUri(again, `/subjects/import_${k}-2`));
    expect(made).toMatchObject({
      title: `U${k}`,
      terms: [{ term: `U${k}`, uri: realUri(again, `/terms/import_${k}`) }],
    });
    expect(await importer.read(realUri(again, `/terms/import_${k}`))).toMatchObject({
      term: `U${k}`,
      term_type: 'topical',
    });
  });

  test('do not hold up others while the import goes on, and a heading that somebody else commits meanwhile makes it try again', async () => {
    const k = fresh();
    let theirs = '';
    const failure = await importer
      .run([subject(k, [`T${k}`])], {
        betweenPasses: async () => {
          // The import has its term by now; another cataloguer makes the same subject and is not held up.
          theirs = (
            await whileImporting(() =>
              importer.create('subject', {
                vocabulary: '/vocabularies/1',
                source: 'local',
                terms: [{ term: `T${k}`, term_type: 'topical', vocabulary: '/vocabularies/1' }],
              }),
            )
          ).uri;
        },
      })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'unavailable' });
    const imported = await importer.run([subject(k, [`T${k}`])]);
    expect(realUri(imported, `/subjects/import_${k}`)).toBe(theirs);
  });

  test('that somebody deletes meanwhile make it try again', async () => {
    const k = fresh();
    const stored = await importer.create('subject', {
      vocabulary: '/vocabularies/1',
      source: 'local',
      terms: [{ term: `T${k}`, term_type: 'topical', vocabulary: '/vocabularies/1' }],
    });
    const records = [subject(k, [`T${k}`]), resource(k, { subjects: [{ ref: `/subjects/import_${k}` }] })];
    const failure = await importer
      .run(records, { betweenPasses: async () => void (await whileImporting(() => importer.remove(stored.uri))) })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'unavailable' });
    expect(realUri(await importer.run(records), `/subjects/import_${k}`)).not.toBe(stored.uri);
  });
});

describe('controlled values', () => {
  test('that an editable list lacks are added to it once', async () => {
    const k = fresh();
    await importer.run(
      [
        container(`${k}-1`, { type: `crate_${k}` }),
        container(`${k}-2`, { type: `crate_${k}` }),
        resource(k, { extents: [{ portion: 'whole', number: '1', extent_type: `shelf_${k}` }] }),
      ],
      { blockBytes: 100 },
    );
    const rows = await importer.database.reader.any(sql.type(z.strictObject({ name: column.text, value: column.text }))`
      SELECT e.name, v.value FROM enumeration_value v JOIN enumeration e ON e.id = v.enumeration_id WHERE v.value LIKE ${`%${k}`} ORDER BY 1`);
    expect(rows).toEqual([
      { name: 'container_type', value: `crate_${k}` },
      { name: 'extent_extent_type', value: `shelf_${k}` },
    ]);
  });

  test('of a list that may not be edited are refused', async () => {
    const k = fresh();
    expect(await importer.refused([resource(k), component(k, k, { level: 'heap' })])).toMatchObject({
      code: 'import_failed',
      error: { record_number: 2, record_title: `AO ${k}`, errors: { level: [expect.stringContaining('heap')] } },
    });
  });
});

describe('bad records', () => {
  test('are named with property and number, the first in the file before all others', async () => {
    const k = fresh();
    const good = Array.from({ length: 30 }, (_, n) => component(`${k}-${n}`, k));
    const bad = component(`${k}-bad`, k, { title: undefined, level: undefined });
    const failure = await importer.refused(
      [resource(k), ...good, bad, subject(`${k}-s`, []), bad, { title: 'no type' }],
      { blockBytes: 500 },
    );
    expect(failure).toMatchObject({
      code: 'import_failed',
      error: {
        record_number: 32,
        record_type: 'archival_object',
        record_uri: bad['uri'],
        errors: { level: ['Property is required but was missing'] },
      },
    });
    expect(
      await importer.refused([resource(k), ...good, subject(`${k}-s`, []), bad], { blockBytes: 500 }),
    ).toMatchObject({ error: { record_number: 32, record_type: 'subject', errors: { terms: expect.anything() } } });
  });

  test('without uri or type, of unknown types and of those with routes of their own are refused', async () => {
    expect(await importer.refused([{ jsonmodel_type: 'resource', ...resourceBody(fresh()) }])).toMatchObject({
      error: { record_number: 1, errors: { uri: ['Property is required but was missing'] } },
    });
    expect(await importer.refused([{ uri: '/subjects/import_1' }])).toMatchObject({
      error: { errors: { jsonmodel_type: ['Property is required but was missing'] } },
    });
    for (const type of ['nonsense', 'user', 'group', 'repository', 'toString']) {
      expect(
        await importer.refused([{ jsonmodel_type: type, uri: '/users/import_1', username: 'intruder' }]),
      ).toMatchObject({ error: { errors: { jsonmodel_type: [expect.stringContaining('cannot be imported')] } } });
    }
  });

  test('whose uri comes twice are refused, also in different blocks', async () => {
    const k = fresh();
    const between = Array.from({ length: 20 }, (_, n) => component(`${k}-${n}`, k));
    const failure = await importer.refused([resource(k), ...between, component(`${k}-3`, k)], { blockBytes: 300 });
    expect(failure).toMatchObject({
      code: 'import_failed',
      error: { record_number: 22, error_class: 'duplicate_uri', record_title: `AO ${k}-3` },
    });
  });

  test('whose identifier is taken are refused with the words of a create', async () => {
    const k = fresh();
    const stored = await importer.create('resource', resourceBody(k));
    expect(await importer.refused([resource(k, { id_0: k })])).toMatchObject({
      code: 'import_failed',
      error: { record_number: 1, error_class: 'not_unique', errors: { id_0: ['That ID is already in use'] } },
    });
    expect(stored.id).toBeGreaterThan(0);
    expect(
      await importer.refused([
        container(`${k}-1`, { barcode: k }),
        container(`${k}-2`),
        container(`${k}-3`, { barcode: k }),
      ]),
    ).toMatchObject({
      error: { record_number: 3, errors: { barcode: ['A barcode must be unique within a repository'] } },
    });
  });

  test('that are no JSON are refused, after worse ones before them', async () => {
    const good = JSON.stringify(container(fresh()));
    for (const text of [
      '{}',
      '"x"',
      '',
      'nonsense',
      `[${good}`,
      `[${good},`,
      `[${good},]`,
      `[${good}] x`,
      `[${good},{"a":}]`,
      `[${good},{"a":1]]`,
      `[${good},7]`,
    ]) {
      expect(await importer.refused(text), text).toMatchObject({ code: 'malformed_body' });
    }
    expect((await importer.refused(`[${good},{"a":}]`)).message).toContain('record 2');
    expect(
      await importer.refused(
        `[{"jsonmodel_type":"top_container","uri":"${repo}/top_containers/import_1"},${good},{"a":}]`,
      ),
    ).toMatchObject({ error: { record_number: 1, errors: { indicator: expect.anything() } } });
    expect(
      await importer.refused(`[{"jsonmodel_type":"top_container","uri":"${repo}/top_containers/import_1"},${good}`),
    ).toMatchObject({ error: { record_number: 1 } });
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

describe('the job', () => {
  const runJob = async (records: readonly JsonObject[], skipResults: boolean): Promise<JsonObject> => {
    await using connected = connect(importer.database.settings.url);
    const worker = await startTestWorker(connected, { handlers: [handler], threads: importer.threads });
    try {
      const blob = await writeBlob(connected.database, [Buffer.from(JSON.stringify(records))]);
      const payload = { blobId: blob.id, repoId: importer.repoId, actor: 'importer', migration: false, skipResults };
      const { jobId } = await connected.database.transaction((tx) =>
        enqueueJob(tx, batchImport, payload, { files: [{ blobId: blob.id, role: 'payload' }] }),
      );
      const value = await waitForJob(connected.database, connected.listener, jobId);
      return isObject(value) ? value : {};
    } finally {
      await worker.stop();
    }
  };

  test('keeps what `saved` answers as a blob, reused records included', async () => {
    const k = fresh();
    await importer.run([subject(k, [`T${k}`])]);
    const value = await runJob([resource(k), component(`${k}-1`, k), subject(k, [`T${k}`])], false);
    expect(value).toMatchObject({ total: 3, reused: 1, created: { resource: 1, archival_object: 1 } });
    let text = '';
    for await (const chunk of readBlob(importer.database, String(value['saved_blob'])))
      text += Buffer.from(chunk).toString('utf8');
    const saved = JSON.parse(`{${text}}`) as { readonly [temporary: string]: readonly [string, number] };
    expect(Object.keys(saved).toSorted()).toEqual(
      [temporary('resources', k), temporary('archival_objects', `${k}-1`), `/subjects/import_${k}`].toSorted(),
    );
    for (const [uri, id] of Object.values(saved))
      expect(await importer.read(uri)).toMatchObject({ uri: expect.stringMatching(new RegExp(`/${id}$`)) });
  });

  test('keeps nothing where the client skips the results', async () => {
    const k = fresh();
    expect(await runJob([resource(k)], true)).toMatchObject({ total: 1, saved_blob: null });
  });

  test('fails with the failure of the record, once', async () => {
    await expect(runJob([{ ...resource(fresh()), title: undefined }], true)).rejects.toMatchObject({
      code: 'import_failed',
      error: { record_number: 1, errors: { title: expect.anything() } },
    });
  });
});
