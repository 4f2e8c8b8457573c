// The accession sheet of the real-data folder, and small sheets of the other kinds, as import jobs. Without the folder the first skips.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { column, NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { ImportJobs } from '../support/import-job.ts';
import { openImportJobs } from '../support/import-job.ts';
import { realDataFolder } from '../support/real-data.ts';

const folder = realDataFolder();
let imports: ImportJobs;
beforeAll(async () => {
  imports = await openImportJobs();
});
afterAll(() => imports[Symbol.asyncDispose]());

describe.skipIf(folder === undefined)('the real accession sheet', () => {
  test('goes in whole, and once', async () => {
    const bytes = readFileSync(resolve(folder ?? '', 'csv/derived_accessions.csv'));
    const ended = await imports.runJob([bytes], { import_type: 'accession_csv' });
    expect(ended.failure, ended.log.slice(-2000)).toBeNull();
    console.info('accession_csv', JSON.stringify(ended.value));
    expect(ended.value).toMatchObject({ created: { accession: 79 } });
    const stored = await imports.database.reader.one(sql.type(
      z.strictObject({ dated: column.int, extents: column.int, linked: column.int }),
    )`
      SELECT count(*) FILTER (WHERE body->>'accession_date' ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$')::int AS dated, sum(json_array_length(body->'extents'))::int AS extents,
        (SELECT count(*)::int FROM link WHERE source_kind = 'accession' AND property = 'linked_agents') AS linked
      FROM record WHERE kind = 'accession'`);
    expect(stored.dated).toBe(79);
    expect(stored.extents).toBeGreaterThan(50);
    expect(stored.linked).toBeGreaterThan(30);
    const again = await imports.runJob([bytes], { import_type: 'accession_csv' });
    expect(again.failure).toMatchObject({ code: 'import_failed' });
    expect(again.records).toEqual([]);
  });
});

describe('small sheets', () => {
  test.each([
    [
      'digital_object_csv',
      'digital_object_id,digital_object_title,digital_object_is_component,digital_object_processed\nd1,Scans,0,1\nd1,Page,1,0\n',
      { digital_object: 1, digital_object_component: 1, event: 1 },
    ],
    [
      'location_csv',
      'location_building,location_coordinate_1_label,location_coordinate_1_indicator\nMain,Range,3\n',
      { location: 1 },
    ],
    [
      'subject_csv',
      'subject_source,term_1,term_type_1,md_rights_dec_license\nlcsh,Maps of sheets,topical,public_domain\n',
      { subject: 1 },
    ],
    [
      'accession_csv',
      'accession_title,accession_number_1,accession_cataloged\n=1+1,F1,1\n',
      { accession: 1, event: 1 },
    ],
  ])('of %s make records', async (type, text, created) => {
    const ended = await imports.runJob([text], { import_type: type });
    expect(ended.failure, ended.log).toBeNull();
    expect(ended.value).toMatchObject({ created });
  });

  test('with a wrong cell fail with line and column, and leave nothing', async () => {
    const before = await imports.database.reader.one(sql.type(NumberRow)`SELECT count(*)::int AS n FROM record`);
    const ended = await imports.runJob(
      ['accession_title,accession_number_1,accession_accession_date\nA,G1,2020\nB,G2,yesterday\n'],
      { import_type: 'accession_csv' },
    );
    expect(ended.failure).toMatchObject({ code: 'import_failed' });
    expect(ended.log).toContain('Not a date: yesterday');
    expect(ended.log).toMatch(/\tline : 3\n/);
    expect(ended.log).toContain('\telement : accession_accession_date');
    expect(await imports.database.reader.one(sql.type(NumberRow)`SELECT count(*)::int AS n FROM record`)).toEqual(
      before,
    );
  });
});
