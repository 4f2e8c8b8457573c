// What the records of a batch say of each other, in whatever order, and of records that are there.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseUri } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { Importer } from '#test/support/batch.ts';
import { openImporter } from '#test/support/batch.ts';
import { batchRecords } from '#test/support/make/batch-records.ts';
import { resourceBody } from '#test/support/records.ts';

let importer: Importer;
beforeAll(async () => {
  importer = await openImporter();
});
afterAll(async () => importer[Symbol.asyncDispose]());
const { inBox, fresh, temporary, resource, component, under, subject, person, container, realUri, childrenOf } =
  batchRecords(() => importer);

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
