// What is forgotten of records that were merged, as changes of the database as a whole: what undoing would need, of the record that stays, of those that
// went and of holders; and deliveries of webhooks that name one. Read beside the contract's additions before it was kept.
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import type { MergeWhat } from '#domain/merges/merges.ts';
import { toMergeRecords } from '#domain/merges/merges.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { EnumerationCache } from '#store/enumerations/lists.ts';
import { mergeRecords } from '#store/merges/merge.ts';
import { undoMerge } from '#store/merges/undo.ts';
import { pruneHistory, purgeHistory } from '#store/records/history/purge.ts';
import type { Work } from '#test/support/kept-changes.ts';
import { expectChanges } from '#test/support/kept-changes.ts';
import { loadHarbour } from '#test/support/loaded-harbour.ts';
import { testContext } from '#test/support/make/prepare-context.ts';

const database = await loadHarbour();
const enumerations = await database.transaction((tx) => EnumerationCache.load(tx));
const actor = 'jane';

const merged = (id: number, what: MergeWhat, kept: string, gone: string): Promise<unknown> =>
  database.transaction(async (tx) =>
    mergeRecords(
      tx,
      { id, what, records: toMergeRecords(what, kept, [gone], null), actor, agentUri: null, selections: null },
      {
        at: '2026-01-01T00:00:00Z',
        generatedValues: testContext().generatedValues,
        enumerations,
      },
    ),
  );

beforeAll(async () => {
  await merged(700, 'subject', '/subjects/1', '/subjects/2');
  await merged(701, 'agent', '/agents/people/2', '/agents/families/1');
  await merged(702, 'agent', '/agents/corporate_entities/2', '/agents/corporate_entities/1');
  await database.transaction((tx) => undoMerge(tx, 702, actor));
  await database.transaction(async (tx) => {
    await tx.run(
      sql`INSERT INTO webhook (id, url, secret, active) OVERRIDING SYSTEM VALUE VALUES (1, 'https://hooks.example', 'x', false)`,
    );
    for (const [status, ...uris] of [
      ['delivered', '/subjects/1', '/agents/people/9'],
      ['dead', '/subjects/2'],
      ['pending', '/subjects/1'],
      ['delivered', '/subjects/11'],
    ])
      await tx.run(
        sql`INSERT INTO webhook_delivery (webhook_id, body, status) VALUES (1, ${JSON.stringify({ uris })}, ${status ?? ''})`,
      );
  });
});

const purge =
  (uri: string): Work =>
  (tx) => {
    const { kind, id, repoId } = parseUri(uri) ?? { kind: '', id: 0, repoId: null };
    return purgeHistory(tx, kindNamed(kind), id, repoId);
  };

it('forgets merges', async () => {
  await expectChanges(
    database,
    {
      'of a subject that stays, with that which went into it': purge('/subjects/1'),
      'of a subject that went': purge('/subjects/2'),
      'of an agent of which other records told': purge('/agents/people/2'),
      'of a record that told of one that went': purge('/repositories/2/resources/1'),
      'of an agent whose merge was taken back': purge('/agents/corporate_entities/2'),
      'of a record in another repository': (tx) => purgeHistory(tx, kindNamed('resource'), 1, 9),
    },
    'purges-of-merges',
  );
});

const KeptRow = z.strictObject({ id: column.int, purged: column.bool, parts: column.int, label: column.text });

it('forgets by age, and what is younger not', async () => {
  const kept = () =>
    database.reader.any(sql.type(KeptRow)`
      SELECT m.id, m.purged_at IS NOT NULL AS purged, g.label,
        ((SELECT count(*) FROM merge_body b WHERE b.merge_id = m.id) + (SELECT count(*) FROM merge_link l WHERE l.merge_id = m.id) + (SELECT count(*) FROM merge_key k WHERE k.merge_id = m.id))::int AS parts
      FROM merge m JOIN merge_gone g ON g.merge_id = m.id ORDER BY m.id`);
  const before = await kept();
  expect(before.map(({ id, purged, parts }) => [id, purged, parts > 0])).toEqual([
    [700, false, true],
    [701, false, true],
    [702, false, true],
  ]);
  await database.transaction(async (tx) => {
    await tx.run(sql`UPDATE merge SET at = now() - interval '31 days' WHERE id IN (700, 702)`);
    await tx.run(sql`UPDATE merge SET at = now() - interval '29 days' WHERE id = 701`);
    await tx.run(sql`UPDATE revision SET at = now() - interval '31 days' WHERE kind = 'subject'`);
  });
  expect(await pruneHistory(database, 0)).toEqual({ revisions: 0, parts: 0 });
  expect(await kept()).toEqual(before);
  expect(await pruneHistory(database, 30)).toEqual({ revisions: 2, parts: 0 });
  expect(await kept()).toEqual(
    before.map((one) => (one.id === 701 ? one : { ...one, purged: true, parts: 0, label: '' })),
  );
  expect(await pruneHistory(database, 30)).toEqual({ revisions: 0, parts: 0 });
});
