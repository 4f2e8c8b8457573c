// Slugs and ARKs that records get with their save: which of them, and what is not named where neither is on (contract 6.15, 6.16).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import { namingOff } from '#domain/identifiers/naming.ts';
import type { Naming } from '#domain/identifiers/naming.ts';
import type { JsonObject } from '#domain/json.ts';
import { Database } from '#store/connection/database.ts';
import type { Transaction } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import type { Named } from '#store/records/writing/naming.ts';
import { freeArkNumbers, freeSlug, renewedSlugs, takeSlugs, withNames } from '#store/records/writing/naming.ts';
import { changedRows } from '#test/support/changed-rows.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { createDatabase } from '#test/support/database.ts';

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await createDatabase();
  database = new Database({ url: own.url, poolSize: 2 });
  const keys = [
    ['slug', 'letters', 'resource', 1],
    ['slug', 'letters_1', 'resource', 2],
    ['slug', 'mine', 'accession', 7],
    ['ark', 'ark:/f00001/5002', 'resource', 1],
    ['ark', 'ark:/f00001/s4-5003', 'resource', 2],
  ] as const;
  await database.transaction(async (tx) => {
    for (const [rule, value, kind, id] of keys)
      await tx.run(
        sql`INSERT INTO unique_key (rule, scope, value, kind, id) VALUES (${rule}, '', ${value}, ${kind}, ${id}::int)`,
      );
    await tx.run(
      sql`INSERT INTO record (kind, id, label, body) VALUES ('repository', 90, 'S', '{"ark_shoulder": "s4"}'), ('repository', 91, 'T', '{}')`,
    );
  });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await own.drop();
});

const byTitle: Naming = { ...namingOff, slugs: { from: 'title' } };
const withArks: Naming = { ...namingOff, arks: { ...namingOff.arks, isOn: true, delimiter: '-' } };
const accession: Named = { kind: kindNamed('accession'), id: null, repoId: 90, old: null };

/** What work gives in a transaction that is taken back, with numbers that are drawn from 5002 on, and leaves no other rows than those it is to leave. */
async function given(work: (tx: Transaction) => Promise<unknown>): Promise<unknown> {
  const { gave, ...changed } = (await changedRows(database, work)) as { readonly gave: unknown };
  expect(changed).toEqual({});
  return gave;
}
const named = (bodies: readonly JsonObject[], naming: Naming | undefined, who: Partial<Named> = {}): Promise<unknown> =>
  given((tx) =>
    withNames(
      tx,
      bodies,
      { ...accession, ...who },
      {
        newHexId: () => 'x',
        publishDefault: false,
        ...(naming === undefined ? {} : { naming }),
      },
    ),
  );

describe('slugs', () => {
  const one = { title: 'Letters', is_slug_auto: true };

  it('are as they were sent where they are off, with a number where another has one', async () => {
    expect(
      await named([one, { ...one, slug: 'plans' }, { ...one, slug: 'Letters', is_slug_auto: false }], undefined),
    ).toEqual([one, { ...one, slug: 'plans' }, { ...one, slug: 'Letters_2', is_slug_auto: false }]);
  });

  it('are made of titles where they are on, each another, and none of what leaves nothing', async () => {
    expect(
      await named(
        [one, one, { title: 'Plans', slug: 'own', is_slug_auto: false }, { title: '…', is_slug_auto: true }],
        byTitle,
      ),
    ).toEqual([
      { ...one, slug: 'letters_2' },
      { ...one, slug: 'letters_3' },
      { title: 'Plans', slug: 'own', is_slug_auto: false },
      { title: '…', is_slug_auto: false },
    ]);
  });

  it('stay where they are the own one of the record', async () => {
    const who = { id: 7, old: { slug: 'mine' } };
    expect(await named([{ title: 'Mine', is_slug_auto: true }], byTitle, who)).toEqual([
      { title: 'Mine', slug: 'mine', is_slug_auto: true },
    ]);
    expect(await named([{ title: 'Mine', is_slug_auto: true }], byTitle, { ...who, id: 8 })).toEqual([
      { title: 'Mine', slug: 'mine_1', is_slug_auto: true },
    ]);
  });

  it('are not those that are kept for another, and are of no kind that has none or its own', async () => {
    const reserving: Naming = { ...namingOff, slugs: { from: 'title', reserved: 'Plans' } };
    expect(await named([{ title: 'Plans', is_slug_auto: true }], reserving)).toEqual([
      { title: 'Plans', slug: 'plans_1', is_slug_auto: true },
    ]);
    expect(await named([{ title: 'Letters' }], byTitle, { kind: kindNamed('event') })).toEqual([{ title: 'Letters' }]);
    expect(await named([{ repo_code: 'X' }], byTitle, { kind: kindNamed('repository') })).toEqual([{ repo_code: 'X' }]);
    expect(await given((tx) => freeSlug(tx, 'letters', 'accession', null, 'letters_2'))).toBe('letters_3');
    expect(await given((tx) => freeSlug(tx, 'letters', 'resource', 1))).toBe('letters');
  });

  it('are taken by many at once, each with its key', async () => {
    const taken = await changedRows(database, async (tx) => [
      ...(await takeSlugs(
        tx,
        'accession',
        [
          { id: 11, wanted: 'letters' },
          { id: 12, wanted: 'letters' },
          { id: 13, wanted: 'Plans' },
        ],
        { numbers: new Map(), reserved: undefined },
      )),
    ]);
    const key = (id: number, value: string): JsonObject => ({ id, kind: 'accession', rule: 'slug', scope: '', value });
    expect(taken).toEqual({
      gave: [
        [11, 'letters_2'],
        [12, 'letters_3'],
        [13, 'Plans'],
      ],
      unique_key: { come: [key(11, 'letters_2'), key(12, 'letters_3'), key(13, 'plans')] },
    });
    expect(
      await given(async (tx) => [
        ...(await takeSlugs(tx, 'accession', [], { numbers: new Map(), reserved: undefined })),
      ]),
    ).toEqual([]);
  });

  it('are made anew where they do not fit any more: but for a number, and where they are off', async () => {
    const renewed = (slug: string | undefined, title: string, naming: Naming = byTitle): Promise<unknown> =>
      changedRows(database, async (tx) => {
        const body = { title, is_slug_auto: true, ...(slug === undefined ? {} : { slug }) };
        const found = await renewedSlugs(
          tx,
          accession.kind,
          [{ id: 11, old: {}, body }],
          { newHexId: () => 'x', publishDefault: false, naming },
          new Map(),
        );
        return found.map(({ body: { slug: next } }) => next ?? null);
      }).then((changes) => (changes as { readonly gave: unknown }).gave);
    expect(await renewed('plans', 'Plans')).toEqual([]);
    expect(await renewed('plans_12', 'Plans')).toEqual([]);
    expect(await renewed('plans_x', 'Plans')).toEqual(['plans']);
    expect(await renewed('plans_', 'Plans')).toEqual(['plans']);
    expect(await renewed('other', 'Letters')).toEqual(['letters_2']);
    expect(await renewed(undefined, 'Plans')).toEqual(['plans']);
    expect(await renewed('plans', '…')).toEqual([null]);
    expect(await renewed(undefined, '…')).toEqual([]);
    expect(await renewed('other', 'Letters', namingOff)).toEqual([]);
  });
});

describe('ARKs', () => {
  const resource = { kind: kindNamed('resource') };
  const nameOf = (bodies: unknown): unknown =>
    (bodies as readonly JsonObject[]).map((body) => body['ark_name'] ?? null);

  it('are numbers that no record has, with the shoulder of the repository', async () => {
    expect(nameOf(await named([{ title: 'a' }, { title: 'b' }], withArks, resource))).toEqual(
      ['5002', '5004'].map((number) => ({
        current: `ark:/f00001/s4-${number}`,
        previous: [],
        current_is_external: false,
      })),
    );
    expect(nameOf(await named([{ title: 'a' }], withArks, { ...resource, repoId: 91 }))).toEqual([
      { current: 'ark:/f00001/5003', previous: [], current_is_external: false },
    ]);
  });

  it('stay as they were where they are off, and are of no kind that has none', async () => {
    const old = { ark_name: { current: 'ark:/f00001/1', previous: [], current_is_external: false } };
    expect(await named([{ title: 'a' }], undefined, { ...resource, id: 1, old })).toEqual([{ title: 'a', ...old }]);
    expect(await named([{ title: 'a' }], undefined, { ...resource, former: old })).toEqual([{ title: 'a', ...old }]);
    expect(await named([{ title: 'a' }], undefined, resource)).toEqual([{ title: 'a' }]);
    const kept = { ...resource, id: 1, old, repoId: 91 };
    expect(nameOf(await named([{ title: 'a' }], withArks, kept))).toEqual([old.ark_name]);
    // Of another shoulder than that of its repository.
    expect(nameOf(await named([{ title: 'a' }], withArks, { ...kept, repoId: 90 }))).toEqual([
      { current: 'ark:/f00001/s4-5002', previous: ['ark:/f00001/1'], current_is_external: false },
    ]);
    expect(await named([{ title: 'a' }], withArks)).toEqual([{ title: 'a' }]);
  });

  it('are as many as are asked for', async () => {
    expect(await given((tx) => freeArkNumbers(tx, []))).toEqual([]);
    const stem = 'ark:/f00001/';
    expect(await given((tx) => freeArkNumbers(tx, [stem, stem, stem]))).toEqual([5003, 5004, 5005]);
    expect(await given((tx) => freeArkNumbers(tx, [stem, `${stem}s4-`]))).toHaveLength(2);
  });
});
