// The migration 0067 on a database that has containers with restrictions.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inBox } from '#test/support/make/instances.ts';
import { serveRecords } from '#test/support/record-service.ts';
import { runSql } from '#test/support/run-sql.ts';

const { api, records, read } = await serveRecords({ worker: 'jobs' });

const migration = (name: string): string =>
  readFileSync(new URL(`../../../../db/migrations/${name}.sql`, import.meta.url), 'utf8');

it('containers that are there lose what no note on access or use says, and no row is written', async () => {
  const [before] = migration('0064_containers_by_steps').split('CREATE OR REPLACE').slice(1);
  await runSql(api.databaseUrl, `CREATE OR REPLACE${before}`);
  const note = {
    jsonmodel_type: 'note_multipart',
    type: 'scopecontent',
    subnotes: [{ jsonmodel_type: 'note_text', content: 'letters' }],
    rights_restriction: { end: '2999-01-01' },
  };
  const container = await records.make('top_container');
  await records.make('archival_object', { notes: [note], instances: [inBox(container)] });
  const restricted = await read(container);
  expect(restricted).toMatchObject({ restricted: true });
  await runSql(api.databaseUrl, migration('0067_restrictions_of_notes'));
  expect(await read(container)).toEqual({ ...restricted, restricted: false, active_restrictions: [] });
});
