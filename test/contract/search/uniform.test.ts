// Takes every kind of the registry through search: found with its type when it was created, gone when it was deleted or suppressed, changed
// when it was changed; those that declare `search: false` are not found. A kind that is added is in here by being declared.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseUri } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import { textOf } from '#domain/json.ts';
import { allKinds } from '#domain/kinds/index.ts';
import { indexedKinds } from '#domain/search/declared.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { untilIndexed } from '#test/support/indexer.ts';
import { changeOf } from '#test/support/make/distinct.ts';
import type { HttpRecords } from '#test/support/make/http-records.ts';
import { httpRecords } from '#test/support/make/http-records.ts';

/** Without kinds that no route makes by themselves. */
const made = allKinds.filter((kind) => kind.may.create !== undefined && kind.name !== 'preference');

let api: TestApi;
let records: HttpRecords;
let viewer = '';
beforeAll(async () => {
  api = await startTestApi({ worker: true });
  records = await httpRecords(api);
  viewer = await api.userWith(['view_repository'], records.repoId);
});
afterAll(async () => api[Symbol.asyncDispose]());

/** The document of a record among all that a search for words finds, or undefined. Without words: for all of a type. */
async function found(uri: string, words = '*', session = api.session): Promise<JsonObject | undefined> {
  await untilIndexed(api.database);
  const type = parseUri(uri)?.kind ?? '';
  const query = new URLSearchParams({ q: words, 'type[]': type, page: '1', page_size: '250' });
  // Who may see one repository alone asks there.
  const place = session === viewer ? `/repositories/${records.repoId}/search` : '/search';
  const { json } = await api.get(`${place}?${query.toString()}`, session);
  return json.results.find((document: JsonObject) => document['uri'] === uri);
}

describe.each(made.filter(({ name }) => indexedKinds.has(name)).map((kind) => [kind.name, kind] as const))(
  '%s',
  (name, kind) => {
    it('is found by its title with its type, until it is deleted', async () => {
      const uri = await records.make(name);
      const document = await found(uri);
      expect(document).toMatchObject({ uri, id: uri, primary_type: name, jsonmodel_type: name });
      expect(document?.['types']).toContain(name);
      const title = textOf(document ?? {}, 'title') ?? '';
      expect(title).not.toBe('');
      expect(JSON.parse(textOf(document ?? {}, 'json') ?? '')).toMatchObject({ uri, jsonmodel_type: name });
      // Quoted, so that what is a sign in queries is none here.
      expect(await found(uri, `"${title.replaceAll('"', '')}"`)).toEqual(document);
      if (kind.may.delete === undefined) return;
      expect((await api.del(uri)).status).toBe(200);
      expect(await found(uri)).toBeUndefined();
    });

    it('is found as it was changed', async () => {
      const uri = await records.make(name);
      const change = changeOf(kind, 3);
      const reply = await api.ask(uri, {
        method: 'PATCH',
        json: { ...change, lock_version: 0 },
        headers: { 'content-type': 'application/merge-patch+json' },
      });
      expect(reply.status).toBe(200);
      expect(JSON.parse(textOf((await found(uri)) ?? {}, 'json') ?? '')).toMatchObject({ lock_version: 1, ...change });
    });

    it('is kept from those who may not see it while it is suppressed', async () => {
      if (kind.suppressible !== true) return;
      const uri = await records.make(name);
      const suppress = async (state: boolean): Promise<void> =>
        expect((await api.ask(`${uri}/suppressed?suppressed=${state}`, { method: 'POST' })).status).toBe(200);
      expect(await found(uri, '*', viewer)).toMatchObject({ suppressed: false });
      await suppress(true);
      expect(await found(uri, '*', viewer)).toBeUndefined();
      expect(await found(uri)).toMatchObject({ suppressed: true });
      await suppress(false);
      expect(await found(uri, '*', viewer)).toMatchObject({ suppressed: false });
    });

    it("is not the public's while it is unpublished", async () => {
      if (kind.publishable !== true) return;
      const uri = await records.make(name, { publish: false });
      const document = await found(uri);
      expect(document).toMatchObject({ publish: false });
      expect(document?.['types']).not.toContain('pui');
    });
  },
);

it.each(made.filter(({ name }) => !indexedKinds.has(name)).map(({ name }) => [name]))(
  '%s is not found',
  async (name) => {
    const uri = await records.make(name);
    expect(await found(uri)).toBeUndefined();
  },
);
