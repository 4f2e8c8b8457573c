// The check of stored data: silent on a database that requests have written, and told of each kind of damage.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allKinds } from '#domain/kinds/index.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import type { Fragment } from '#store/connection/sql.ts';
import { sql } from '#store/connection/sql.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import type { HttpRecords } from '#test/support/make/http-records.ts';
import { httpRecords } from '#test/support/make/http-records.ts';

let api: TestApi;
let records: HttpRecords;
const uris = new Map<string, string>();
beforeAll(async () => {
  api = await startTestApi();
  records = await httpRecords(api);
  for (const kind of allKinds.filter((each) => each.may.create !== undefined)) {
    const uri = await records.make(kind.name);
    uris.set(kind.name, uri);
    if (kind.name !== 'user') await api.post(uri, (await api.get(uri)).json);
  }
  const [agent, subject, container] = [uris.get('agent_person'), uris.get('subject'), uris.get('top_container')];
  await records.make('accession', {
    linked_agents: [
      { ref: agent, role: 'creator', terms: [{ term: 'x', term_type: 'topical', vocabulary: '/vocabularies/1' }] },
    ],
    subjects: [{ ref: subject }],
    instances: [
      { instance_type: 'text', sub_container: { top_container: { ref: container } } },
      { instance_type: 'digital_object', digital_object: { ref: uris.get('digital_object') } },
    ],
    related_resources: [{ ref: uris.get('resource') }],
  });
  await api.ask(`${uris.get('digital_object')}/suppressed?suppressed=true`, { method: 'POST' });
  await api.del(String(uris.get('subject')));
});
afterAll(async () => api[Symbol.asyncDispose]());

const damage = async (statement: Fragment): Promise<readonly string[]> => {
  const seen: string[] = [];
  await api.database.transaction(async (tx) => tx.run(sql`${statement}`));
  for (const violation of await checkDatabase(api.database)) seen.push(`${violation.count} ${violation.says}`);
  return seen;
};

describe('checkDatabase', () => {
  it('finds nothing wrong with what requests have written', async () => {
    expect(await checkDatabase(api.database)).toEqual([]);
  });

  it('tells of each kind of damage, with examples', async () => {
    const [accession] = [Number(String(uris.get('accession')).split('/').at(-1))];
    expect(
      await damage(
        sql.fragment`INSERT INTO link (source_kind, source_id, ordinal, property, target_kind, target_id, repo_id) VALUES ('accession', 99999, 0, 'subjects', 'subject', 99999, 2)`,
      ),
    ).toEqual(['1 links from records that do not exist', '1 links to records that do not exist']);
    expect(await damage(sql.fragment`DELETE FROM link WHERE source_id = 99999`)).toEqual([]);
    expect(
      await damage(
        sql.fragment`UPDATE link SET suppressed = NOT suppressed WHERE property = 'instances.digital_object'`,
      ),
    ).toEqual(['1 links whose mark differs from whether one of their ends is suppressed']);
    await damage(sql.fragment`UPDATE link SET suppressed = NOT suppressed WHERE property = 'instances.digital_object'`);
    expect(
      await damage(sql.fragment`UPDATE unique_key SET value = 'other' WHERE kind = 'accession' AND id = ${accession}`),
    ).toEqual([
      '1 records that lack a row for a unique key of their body',
      '1 rows of unique keys that the body does not have',
    ]);
    expect(await damage(sql.fragment`DELETE FROM unique_key WHERE kind = 'accession' AND id = ${accession}`)).toEqual([
      '1 records that lack a row for a unique key of their body',
    ]);
    const before = await checkDatabase(api.database);
    expect(before[0]?.examples[0]).toContain(uris.get('accession'));
    expect(
      await damage(sql.fragment`DELETE FROM link WHERE property = 'instances.sub_container.top_container'`),
    ).toContain('1 refs in bodies without a link row');
    expect(await damage(sql.fragment`UPDATE tree_bucket SET nv = 0, n = n + 1 WHERE kind = 1`)).toContain(
      '1 buckets whose counts differ from their nodes',
    );
    expect(await damage(sql.fragment`DELETE FROM feed WHERE n = 5`)).toContain('1 numbers missing in the feed');
  });
});
