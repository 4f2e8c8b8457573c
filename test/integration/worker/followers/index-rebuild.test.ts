// The index made anew beside the live one: the same documents in the same tables, and when it is made so.
import { describe, expect, it } from 'vitest';
import type { Progress } from '#domain/job.ts';
import { reindex } from '#domain/jobs/reindex.ts';
import { sql } from '#store/connection/sql.ts';
import { renewOldIndex } from '#store/search/document-version.ts';
import { countsOf, writersOf } from '#test/support/index-contents.ts';
import { everything, nothing, rebuiltIndex } from '#test/support/index-rebuild.ts';
import { resourceBody } from '#test/support/records.ts';
import { AnyRow } from '#test/support/rows.ts';
import { runHandler } from '#test/support/run-handler.ts';
import { handler } from '../../../../apps/worker/jobs/reindex.ts';

const { store, indexed, anew, contents, definitions, leftOvers } = await rebuiltIndex();

describe('an index made beside the live one', () => {
  it('has the same documents under the same numbers, all written anew, and the same tables', async () => {
    await indexed();
    const numbers = () =>
      store.database.reader.any(sql.type(AnyRow)`
      SELECT no, id, audience FROM search_doc ORDER BY no`);
    const before = [await contents(), await countsOf(store.database), await definitions(), await numbers()];
    const written = await writersOf(store.database);
    const seen: string[] = [];
    expect(await anew({ progress: ({ label }: Progress) => void seen.push(label) })).toMatchObject({
      records: expect.any(Number),
    });
    expect([await contents(), await countsOf(store.database), await definitions(), await numbers()]).toEqual(before);
    for (const [id, xmin] of await writersOf(store.database)) expect(xmin, id).not.toBe(written.get(id));
    expect([...new Set(seen)]).toEqual(['Indexing', 'Making the indexes', 'Carrying over']);
    expect(await leftOvers()).toEqual(nothing);
    // Numbers go on where they were, and a nightly reindexing finds all as it would write it.
    const { uri } = await store.create('resource', resourceBody('AFTER', { title: 'Numbat papers' }));
    await indexed();
    const again = await writersOf(store.database);
    expect(again.has(`${uri} 1`)).toBe(true);
    await runHandler(store.database, reindex, handler, { ...everything, rewrite: false });
    expect(await writersOf(store.database)).toEqual(again);
    // The new tables have their turn like the first.
    await anew();
    expect(await definitions()).toEqual(before[2]);
  });
});

it('is not made beside the live one where the disk has no room for two', async () => {
  await indexed();
  const oid = () => store.database.reader.one(sql.type(AnyRow)`SELECT 'search_doc'::regclass::oid::int AS oid`);
  const [before, written] = [await oid(), await writersOf(store.database)];
  const lines: string[] = [];
  await anew({
    options: { importFaults: 1, eadAgents: 'external', customReports: false, diskReserveBytes: 1e15 },
    log: (line) => void lines.push(line),
  });
  expect(await oid()).toEqual(before);
  for (const [id, xmin] of await writersOf(store.database)) expect(xmin, id).not.toBe(written.get(id));
  expect(lines[0]).toMatch(/^The disk of the database has \d+ MB left\..*The index is written anew in its place\.$/);
});

it('is how an index of an older form is renewed', async () => {
  await indexed();
  await store.database.transaction((tx) => tx.run(sql`UPDATE search_form SET form = 0`));
  const jobId = await renewOldIndex(store.database);
  expect(
    await store.database.reader.one(sql.type(AnyRow)`
      SELECT payload->>'rewrite' AS rewrite, payload->>'kinds' AS kinds FROM job WHERE id = ${jobId}`),
  ).toEqual({ rewrite: 'true', kinds: null });
});
