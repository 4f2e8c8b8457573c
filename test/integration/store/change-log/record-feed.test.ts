// What happened to records, as clients follow it: which changes of the feed are told, how far a reading goes, and where it begins (contract 5.8).
import { beforeAll, expect, it } from 'vitest';
import { textOf } from '#domain/json.ts';
import type { RecordChanges } from '#store/change-log/record-feed.ts';
import { feedStart, readRecordChanges } from '#store/change-log/record-feed.ts';
import { sql } from '#store/connection/sql.ts';
import { loadHarbour } from '#test/support/loaded-harbour.ts';

const database = await loadHarbour();
const { reader } = database;

type Entry = {
  readonly kind: string;
  readonly of: number | readonly number[];
  readonly repoId?: number;
  readonly op?: string;
};

const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, n) => n + 1);

// Their numbers count from 1.
const entries: readonly Entry[] = [
  { kind: 'accession', of: 2, repoId: 2 },
  { kind: 'subject', of: 1 },
  { kind: 'archival_object', of: [2, 1], repoId: 2 },
  { kind: 'user', of: 1 },
  { kind: 'group', of: 1, repoId: 2 },
  { kind: 'accession', of: 2, repoId: 2 },
  { kind: 'subject', of: 9, op: 'delete' },
  { kind: 'accession', of: 99, repoId: 2 },
  { kind: 'no_kind', of: 1 },
  { kind: 'archival_object', of: upTo(300), repoId: 2 },
  { kind: 'subject', of: 2 },
  { kind: 'subject', of: 1, op: 'delete' },
  { kind: 'archival_object', of: upTo(248), repoId: 2 },
  { kind: 'subject', of: 2, op: 'delete' },
  { kind: 'subject', of: 2, op: 'create' },
];

const at = (n: number): string => `2024-05-06T07:08:${String(n).padStart(2, '0')}.1239Z`;

beforeAll(() =>
  database.transaction(async (tx) => {
    await tx.run(sql`DELETE FROM feed`);
    for (const [index, { kind, of, repoId = null, op = 'update' }] of entries.entries()) {
      const ids = typeof of === 'number' ? null : sql.array([...of], 'int4');
      await tx.run(sql`
        INSERT INTO feed (n, at, seq, changed_at, kind, id, ids, repo_id, op)
        VALUES (${index + 1}, ${at(index + 1)}::timestamptz, ${index + 1}, ${at(index + 1)}::timestamptz, ${kind}, ${typeof of === 'number' ? of : null}::int, ${ids}, ${repoId}::int, ${op})`);
    }
    await tx.run(sql`UPDATE sequencer SET n = ${entries.length}`);
  }),
);

/** The changes in short: the uri, whether the text is that record's, the number, and whether the time is that of the entry. */
const short = ({ changes, upTo: last }: RecordChanges) => [
  ...changes.map(({ uri, text, sequence, timestamp }) => [
    uri,
    text === null ? 'gone' : textOf(JSON.parse(text), 'uri') === uri,
    sequence,
    timestamp === Math.floor(Date.parse(at(sequence))),
  ]),
  last,
];
const changesAfter = async (n: number, seesSuppressed = true) =>
  short(await readRecordChanges(reader, n, { seesSuppressed }));

const R = '/repositories/2';

it('tells the last change of each record that is there or gone, and none of users, groups and what is no record', async () => {
  expect(await changesAfter(0)).toEqual([
    ['/subjects/1', true, 2, true],
    [`${R}/archival_objects/2`, true, 3, true],
    [`${R}/archival_objects/1`, true, 3, true],
    [`${R}/accessions/2`, true, 6, true],
    ['/subjects/9', 'gone', 7, true],
    9,
  ]);
  expect(await changesAfter(3)).toEqual([[`${R}/accessions/2`, true, 6, true], ['/subjects/9', 'gone', 7, true], 9]);
});

it('reads some 250 records, and entries whole', async () => {
  const both = [1, 2].map((id) => [`${R}/archival_objects/${id}`, true]);
  expect(await changesAfter(9)).toEqual([...both.map((told) => [...told, 10, true]), 10]);
  // 250 in all: one more would be of the next reading.
  expect(await changesAfter(10)).toEqual([
    ['/subjects/2', true, 11, true],
    ['/subjects/1', 'gone', 12, true],
    ...both.map((told) => [...told, 13, true]),
    13,
  ]);
  expect(await changesAfter(13)).toEqual([['/subjects/2', true, 15, true], 15]);
  expect(await changesAfter(15)).toEqual([15]);
  expect(await changesAfter(99)).toEqual([99]);
});

it('tells nothing of hidden records to who may not see them', async () => {
  await database.transaction((tx) =>
    tx.run(sql`UPDATE record SET suppressed = true WHERE kind = 'accession' AND id = 2`),
  );
  expect(await changesAfter(3, false)).toEqual([['/subjects/9', 'gone', 7, true], 9]);
  expect(await changesAfter(3)).toEqual([[`${R}/accessions/2`, true, 6, true], ['/subjects/9', 'gone', 7, true], 9]);
});

it('begins where a follower was, or with the last minute', async () => {
  const starts = () => Promise.all([-1, 0, 1, 15, 16].map((after) => feedStart(reader, after)));
  expect(await starts()).toEqual([15, 15, 1, 15, 15]);
  await database.transaction((tx) => tx.run(sql`UPDATE feed SET at = now() WHERE n IN (4, 7)`));
  expect(await starts()).toEqual([3, 3, 1, 15, 3]);
});
