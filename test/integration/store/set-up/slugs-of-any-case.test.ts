// The migrations 0029 on keys of slugs, 0068 on those of the codes of repositories, and 0074 on those of terms, as they were stored before.
import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { keyText } from '#domain/checking/split.ts';
import { connectToOwn } from '#test/support/database.ts';
import { runSql } from '#test/support/run-sql.ts';

const { url, client, drop } = await connectToOwn();
afterAll(drop);

const migration = (name: string): string =>
  readFileSync(new URL(`../../../../db/migrations/${name}.sql`, import.meta.url), 'utf8');
const valuesOf = async (kind: string): Promise<readonly string[]> => {
  const { rows } = await client.query<{ value: string }>('SELECT value FROM unique_key WHERE kind = $1 ORDER BY id', [
    kind,
  ]);
  return rows.map(({ value }) => value);
};

it('brings keys into lower case, but where another record has that one', async () => {
  await runSql(
    url,
    `INSERT INTO unique_key (rule, scope, value, kind, id) VALUES ('slug', '', 'Alone', 'resource', 1), ('slug', '', 'Two', 'resource', 2),
      ('slug', '', 'two', 'resource', 3), ('slug', '', 'TRE', 'resource', 4), ('slug', '', 'Tre', 'resource', 5), ('other', '', 'Kept', 'resource', 6)`,
  );
  await runSql(url, migration('0029_slugs_of_any_case'));
  expect(await valuesOf('resource')).toEqual(['alone', 'Two', 'two', 'tre', 'Tre', 'Kept']);
});

it('so with the codes of repositories', async () => {
  await runSql(
    url,
    `INSERT INTO unique_key (rule, scope, value, kind, id) VALUES ('repository.repo_code', '', 'ALONE', 'repository', 102), ('repository.repo_code', '', 'Two', 'repository', 103),
      ('repository.repo_code', '', 'two', 'repository', 104), ('repository.repo_code', '', 'ÉÀ', 'repository', 105), ('other', '', 'KEPT', 'repository', 106)`,
  );
  await runSql(url, migration('0068_repository_codes_of_any_case'));
  expect((await valuesOf('repository')).slice(-5)).toEqual(['alone', 'Two', 'two', 'ÉÀ', 'KEPT']);
});

it('and makes keys of long terms the digests that are looked for', async () => {
  const [long, twice] = ['語', '字'].map((text) => JSON.stringify(['/vocabularies/1', text.repeat(200), 'topical']));
  const short = JSON.stringify(['/vocabularies/1', 'Short', 'topical']);
  await client.query(
    `INSERT INTO unique_key (rule, scope, value, kind, id) SELECT 'term.identity', '', value, 'term', id FROM unnest($1::text[]) WITH ORDINALITY AS u (value, id)`,
    [[long, short, twice, keyText(twice ?? '')]],
  );
  const dropped = 'DROP FUNCTION key_text(text);';
  await runSql(url, `${dropped}${migration('0074_keys_of_long_terms')}`);
  expect(await valuesOf('term')).toEqual([keyText(long ?? ''), short, twice, keyText(twice ?? '')]);
});
