// Controlled values of records that come back with the undo of a merge, after the values went: they are followed as what is saved at that moment is.
import { afterAll, expect, test } from 'vitest';
import { sequenceChanges } from '#store/change-log/sequencer.ts';
import { NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { followRetiredValues } from '#store/enumerations/retired.ts';
import type { Reply } from '#test/support/api.ts';
import { ok, startTestApi } from '#test/support/api.ts';
import { mergesOf } from '#test/support/merge-requests.ts';

const api = await startTestApi({ worker: 'jobs' });
afterAll(async () => api[Symbol.asyncDispose]());

const follow = async (): ReturnType<typeof followRetiredValues> => {
  await sequenceChanges(api.database);
  return followRetiredValues(api.database);
};
const remembered = async (): Promise<number> =>
  (await api.database.reader.one(sql.type(NumberRow)`SELECT count(*)::int AS n FROM retired_value`)).n;
const weekPasses = async (): Promise<void> => {
  await api.database.write(sql`UPDATE retired_value SET at = at - interval '8 days'`);
  await api.database.write(sql`UPDATE merge SET at = at - interval '8 days'`);
  await follow();
};

test('are what they became, or back in their lists, more than a week later too', async () => {
  const { merge, undo } = mergesOf(api, await api.repository());
  const subject = (term: string, source: string): Promise<string> =>
    api.create('/subjects', {
      source,
      vocabulary: '/vocabularies/1',
      terms: [{ term, term_type: 'topical', vocabulary: '/vocabularies/1' }],
    });
  const kept = await subject('Kept', 'lcsh');
  const merged: Reply[] = [];
  const gone = [await subject('Renamed', 'tgn'), await subject('Deleted', 'rbgenr')];
  for (const uri of gone) merged.push(await merge('subject', kept, [uri]));
  const list = ok(await api.get('/config/enumerations/names/subject_source'));
  const values = list.values.filter((value: string) => value !== 'rbgenr');
  ok(await api.post(list.uri, { ...list, values }));
  ok(await api.post('/config/enumerations/migration', { enum_uri: list.uri, from: 'tgn', to: 'lcsh' }));
  await weekPasses();
  await weekPasses();
  expect(await remembered()).toBe(2);
  for (const reply of merged) expect((await undo(reply)).status).toBe(200);
  expect(await follow()).toEqual({ changed: 1, back: ['subject_source: rbgenr'] });
  const sources = await Promise.all(gone.map(async (uri) => ok(await api.get(uri)).source));
  expect(sources).toEqual(['lcsh', 'rbgenr']);
  expect(ok(await api.get(list.uri)).values).toContain('rbgenr');
  await weekPasses();
  expect(await remembered()).toBe(0);
});
