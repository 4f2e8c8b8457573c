// What is written while an index is made beside the live one: the new one has it all, whatever it was made of.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Progress } from '#domain/job.ts';
import { reindex } from '#domain/jobs/reindex.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import { countsOf } from '#test/support/index-contents.ts';
import { nothing, rebuiltIndex } from '#test/support/index-rebuild.ts';
import { untilIndexed } from '#test/support/indexer.ts';
import { amount } from '#test/support/long.ts';
import { personBody, resourceBody } from '#test/support/records.ts';
import { AnyRow } from '#test/support/rows.ts';
import { runHandler } from '#test/support/run-handler.ts';
import { handler } from '../../../../apps/worker/jobs/reindex.ts';

const { store, indexed, stopIndexer, anew, contents, leftOvers, total, suppress, expectCounted } = await rebuiltIndex();

/** Keeps the tables from changing places while `work` runs, as a long search does. */
async function looking(work: () => Promise<void>): Promise<void> {
  await store.database.withClient(async (client) => {
    await client.query('BEGIN; LOCK TABLE search_doc IN ACCESS SHARE MODE');
    try {
      await work();
    } finally {
      await client.query('ROLLBACK');
    }
  });
}

/** Begins a making, does `work` when all is written beside and before that is searched, and sees the making through. */
async function during(work: () => Promise<void>): Promise<void> {
  let isCarrying = false;
  let made: Promise<unknown> = Promise.resolve();
  await looking(async () => {
    made = anew({
      progress: ({ label }: Progress) => {
        isCarrying ||= label === 'Carrying over';
      },
    });
    await expect.poll(() => isCarrying).toBe(true);
    await work();
  });
  await made;
}

/** What is waited for at the end of a block, also where that fails. */
const pending = (promise: Promise<unknown>): AsyncDisposable & { readonly promise: Promise<unknown> } => ({
  promise,
  [Symbol.asyncDispose]: async () => void (await promise.catch(() => undefined)),
});

describe('an index made beside the live one', () => {
  it('has what was written, hidden, shown and taken out after it was made of the same records, and is searched at once', async () => {
    const make = async (n: string): Promise<string> =>
      (await store.create('resource', resourceBody(n, { title: `Bilby ${n}`, publish: true }))).uri;
    const [changed, gone, hidden, unpublished] = await Promise.all(['C1', 'C2', 'C3', 'C4'].map(make));
    const shown = await make('C5');
    await suppress(shown, true);
    await indexed();
    let fresh = '';
    await during(async () => {
      await store.update(changed ?? '', { ...(await store.read(changed ?? '')), title: 'Potoroo changed' });
      await store.remove(gone ?? '');
      await suppress(hidden ?? '', true);
      await suppress(shown, false);
      await store.update(unpublished ?? '', { ...(await store.read(unpublished ?? '')), publish: false });
      fresh = await make('C6');
      await indexed();
      expect([await total('title:potoroo'), await total('title:bilby')]).toEqual([1, 4]);
    });
    expect([await total('title:potoroo'), await total('title:bilby')]).toEqual([1, 4]);
    expect(
      (
        await store.database.reader.any(sql.type(z.strictObject({ id: column.text }))`
        SELECT id FROM search_doc WHERE suppressed ORDER BY 1`)
      ).map(({ id }) => id),
    ).toEqual([hidden]);
    expect(
      await store.database.reader.any(sql.type(AnyRow)`
        SELECT published FROM search_doc WHERE uri = ${unpublished ?? ''}`),
    ).toEqual([{ published: false }]);
    expect(
      await store.database.reader.any(sql.type(AnyRow)`SELECT published FROM search_doc WHERE uri = ${fresh}`),
    ).toEqual([{ published: true }]);
    await expectCounted();
    await untilIndexed(store.database);
    const made = [await contents(), await countsOf(store.database)];
    await anew();
    expect([await contents(), await countsOf(store.database)]).toEqual(made);
    expect(await leftOvers()).toEqual(nothing);
  });

  it('hides what was suppressed and takes out what was deleted before the indexer has come to either', async () => {
    const make = async (n: string): Promise<string> =>
      (await store.create('resource', resourceBody(n, { title: `Tammar ${n}`, publish: true }))).uri;
    const [hidden, kept] = await Promise.all(['D1', 'D2'].map(make));
    await indexed();
    await during(async () => {
      await stopIndexer();
      await suppress(hidden ?? '', true);
    });
    const staff = { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: false } as const;
    const found = await postgresSearch(store.database).read([hidden ?? '', kept ?? ''], staff);
    expect(found.map(({ id }) => id)).toEqual([kept]);
    // A record that was read beside and never live, and is deleted while nobody indexes what is live.
    await indexed();
    const early = await make('D3');
    await during(async () => {
      await untilIndexed(store.database);
      await store.remove(early);
      await untilIndexed(store.database);
    });
    expect(await store.database.reader.any(sql.type(AnyRow)`SELECT FROM search_doc WHERE uri = ${early}`)).toEqual([]);
  });

  it('after any changes is what writing all of it in its place would make it', async () => {
    const uris: string[] = [];
    for (let n = 0; n < 4; n++)
      uris.push((await store.create('resource', resourceBody(`P${n}`, { title: `Series ${n}`, publish: true }))).uri);
    const agents = await Promise.all(
      ['Koala', 'Dingo'].map(async (name) => (await store.create('agent_person', personBody(name))).uri),
    );
    await indexed();
    const change = fc.record({
      which: fc.nat(uris.length - 1),
      title: fc.constantFrom('Series', 'Letters'),
      publish: fc.boolean(),
      agent: fc.constantFrom(null, ...agents),
      isSuppressed: fc.option(fc.boolean(), { nil: undefined }),
      name: fc.constantFrom(null, 'Quokka', 'Wallaby'),
      pauseMs: fc.nat(60),
    });
    let n = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        // Waited for whatever fails, since there is one making at a time.
        await using generatedValues = pending(anew());
        for (const { which, title, publish, agent, isSuppressed, name, pauseMs } of changes) {
          const uri = uris[which] ?? '';
          // Nobody edits what is suppressed.
          await suppress(uri, false);
          await store.update(uri, {
            ...(await store.read(uri)),
            title,
            publish,
            linked_agents: agent === null ? [] : [{ role: 'creator', ref: agent }],
          });
          if (isSuppressed !== undefined) await suppress(uri, isSuppressed);
          if (name !== null && agent !== null)
            await store.update(agent, { ...(await store.read(agent)), ...personBody(`${name} ${n++}`) });
          await new Promise((resolve) => setTimeout(resolve, pauseMs));
        }
        await generatedValues.promise;
        await expectCounted();
        await untilIndexed(store.database);
        const made = await contents();
        const { edition } = await store.database.reader.one(sql.type(z.strictObject({ edition: column.int }))`
          SELECT edition FROM search_form`);
        // In place: a kind and a repository at a time is never beside.
        await runHandler(store.database, reindex, handler, {
          kinds: ['resource', 'agent_person', 'repository'],
          repoId: null,
          rewrite: true,
        });
        expect(await store.database.reader.one(sql.type(AnyRow)`SELECT edition FROM search_form`)).toEqual({
          edition: edition + 1,
        });
        expect(await contents()).toEqual(made);
        await expectCounted();
      }),
      { numRuns: amount(2, 12) },
    );
    expect(await leftOvers()).toEqual(nothing);
  });
});
