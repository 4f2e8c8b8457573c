// What is refused, with the record and the property, and without a trace.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
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
const { fresh, resource, component, subject, person, container } = batchRecords(() => importer);

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

describe('what the target of a link has to be', () => {
  test('is looked at for links to records that are there, and to those of the file', async () => {
    const k = fresh();
    const location = (key: string, more: object = {}) => ({
      jsonmodel_type: 'location',
      uri: `/locations/import_${k}_${key}`,
      building: `Quay ${k} ${key}`,
      barcode: `${k}-${key}`,
      ...more,
    });
    const left = (ref: string) => ({ ref, status: 'previous', start_date: '2020-01-01', end_date: '2021-01-01' });
    const locations = [location('shelf'), location('loan', { temporary: 'loan' })];
    const { saved } = await importer.run(locations);
    const stored = locations.map(({ uri }) => saved[uri]?.[0] ?? expect.fail(uri));
    const [shelf = '', loan = ''] = stored;
    const refused = {
      code: 'import_failed',
      error: {
        record_type: 'top_container',
        errors: { 'container_locations/1/status': ['cannot be previous if Location is not temporary'] },
      },
    };
    const boxed = container(`${k}-1`, { container_locations: [left(loan), left(shelf)] });
    expect(await importer.refused([boxed])).toMatchObject(refused);
    const more = [location('shelf2'), location('loan2', { temporary: 'loan' })];
    const [shelf2 = '', loan2 = ''] = more.map(({ uri }) => uri);
    expect(
      await importer.refused([...more, container(`${k}-2`, { container_locations: [left(loan2), left(shelf2)] })]),
    ).toMatchObject(refused);
    const kept = await importer.run([
      ...more,
      container(`${k}-3`, {
        container_locations: [left(loan), left(loan2), { ref: shelf2, status: 'current', start_date: '2021-01-02' }],
      }),
    ]);
    expect(Object.keys(kept.saved)).toHaveLength(3);
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
        `[{"jsonmodel_type":"top_container","uri":"/repositories/${importer.repoId}/top_containers/import_1"},${good},{"a":}]`,
      ),
    ).toMatchObject({ error: { record_number: 1, errors: { indicator: expect.anything() } } });
    expect(
      await importer.refused(
        `[{"jsonmodel_type":"top_container","uri":"/repositories/${importer.repoId}/top_containers/import_1"},${good}`,
      ),
    ).toMatchObject({ error: { record_number: 1 } });
  });

  test.each([
    ['U+0000', '"\\u0000"', 'the character U+0000 cannot be stored'],
    ['half a surrogate pair', '"\\ud83d"', 'a text holds half of a surrogate pair'],
    ['__proto__', '{"__proto__":1}', "the property '__proto__' is not allowed"],
    ['endless nesting', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'nesting of 501 is too deep'],
  ])('that hold %s, which nothing can store, are refused as a create is', async (_what, value, reason) => {
    const good = JSON.stringify(container(fresh()));
    expect(
      await importer.refused(`[${good},${good.replace('import_', 'import_0').slice(0, -1)},"title":${value}}]`),
    ).toMatchObject({
      code: 'malformed_body',
      message: `Had some trouble parsing your request: record 2: ${reason}`,
    });
  });
});
