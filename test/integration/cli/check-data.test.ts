// `muniment check --data`: told of damage with examples and an exit code, without a service.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowInvariants } from '#store/check/rows.ts';
import { sql } from '#store/connection/sql.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore } from '#test/support/records.ts';
import { runCli } from './run-cli.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
  await store.create('accession', { id_0: 'C1', accession_date: '2020-01-01' });
});
afterAll(async () => store[Symbol.asyncDispose]());

describe('muniment check --data', () => {
  it('ends well on a sound database', async () => {
    const run = await runCli(['check', '--data'], { env: { DATABASE_URL: store.database.settings.url } });
    expect([run.code, run.stdout]).toEqual([0, 'Everything is as it should be.\n']);
  });

  it('says on standard error what it looks at, each thing in its turn', async () => {
    const run = await runCli(['check', '--data'], { env: { DATABASE_URL: store.database.settings.url } });
    const steps = [...rowInvariants.map(({ says }) => says), 'trees', 'bodies', 'files'];
    expect(run.stderr).toBe(steps.map((what) => `checking: ${what}\n`).join(''));
  });

  it('tells what is broken, with examples, and ends with 1', async () => {
    await store.database.transaction((tx) =>
      tx.run(
        sql`INSERT INTO link (source_kind, source_id, ordinal, property, target_kind, target_id, repo_id) SELECT 'accession', id, 0, 'subjects', 'subject', 77, repo_id FROM record WHERE kind = 'accession'`,
      ),
    );
    const run = await runCli(['check', '--database', store.database.settings.url]);
    expect(run.code).toBe(1);
    expect(run.stdout).toBe(
      `1 links to records that do not exist\n    accession 1 subjects -> subject 77\n1 link rows without a ref in the body\n    /repositories/${store.repoId}/accessions/1 subjects /subjects/77\n`,
    );
    const json = await runCli(['check', '--json', '--database', store.database.settings.url]);
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, violations: [{ count: 1 }, { count: 1 }] });
  });

  it('says where there is no data', async () => {
    const run = await runCli(['check', '--data'], { env: { MUNIMENT_DATA_DIR: '/nowhere/at/all' } });
    expect([run.code, run.stderr]).toEqual([
      1,
      'There is no data folder /nowhere/at/all: name it in MUNIMENT_DATA_DIR, or a database in DATABASE_URL.\n',
    ]);
  });
});
