// What is hidden is not found, counted or shown: suppressed records, other repositories, and what is not for the public.
import { describe, expect, it } from 'vitest';
import { objectOf } from '#domain/json.ts';
import type { Visibility } from '#store/search/port.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import { indexRecords, publicUser, staff } from '#test/support/searched-documents.ts';

const { database, find, idsOf } = await indexRecords();

describe('visibility', () => {
  it('hides suppressed records unless they may be seen', async () => {
    expect(await idsOf({ q: 'hidden' })).toEqual([]);
    expect(await idsOf({ q: 'hidden' }, { ...staff, seesSuppressed: [3] })).toEqual(['3/resources/4']);
    expect(await idsOf({ q: 'hidden' }, { ...staff, seesSuppressed: [2] })).toEqual([]);
  });

  it('keeps other repositories out', async () => {
    expect(await idsOf({ q: 'box' }, { ...staff, repositories: [2] })).toEqual([]);
  });

  it('shows the public neither unpublished records nor unpublished notes', async () => {
    expect(await idsOf({ q: 'harbor' }, publicUser)).toEqual(['2/resources/2']);
    expect(await idsOf({ q: 'confidential' }, publicUser)).toEqual([]);
    expect(await idsOf({ q: 'confidential' })).toEqual(['2/resources/1']);
    expect(JSON.stringify(await find({ q: 'disarmament' }, publicUser))).not.toContain('Confidential');
  });

  it('shows the public its own copy of an archival object, and staff the record', async () => {
    expect(await idsOf({ q: 'rabbit' }, publicUser)).toEqual(['2/archival_objects/1#pui']);
    expect(await idsOf({ q: 'rabbit' })).toEqual(['2/archival_objects/1']);
  });

  it('lets the public find copies by their types and ids, and counts them by these, staff not', async () => {
    const copies = { q: '*:*', type: ['pui_archival_object'], facet: ['types'], page_size: 1 };
    const typesOf = async (visibility?: Visibility) =>
      objectOf(objectOf(await find({ ...copies, facet_mincount: 1 }, visibility), 'facets'), 'facet_fields')?.['types'];
    expect((await find(copies, publicUser)).total_hits).toBe(302);
    expect(await typesOf(publicUser)).toEqual([
      'archival_object',
      302,
      'pui',
      302,
      'pui_archival_object',
      302,
      'pui_only',
      302,
      'pui_record',
      302,
    ]);
    expect((await find(copies)).total_hits).toBe(0);
    const id = '/repositories/2/archival_objects/1';
    expect(await idsOf({ q: `id:"${id}#pui"` }, publicUser)).toEqual(['2/archival_objects/1#pui']);
    const index = postgresSearch(database);
    const read = async (asked: string, visibility: Visibility) =>
      (await index.read([asked], visibility)).map((hit) => hit.id);
    expect([
      await read(`${id}#pui`, publicUser),
      await read(id, publicUser),
      await read(id, staff),
      await read(`${id}#pui`, staff),
    ]).toEqual([[`${id}#pui`], [`${id}#pui`], [id], []]);
    expect((await index.countTypes(['pui_record'], publicUser)).get('/repositories/2')?.get('pui_record')).toBe(302);
    expect((await index.countTypes(['pui_record'], staff)).get('/repositories/2')?.get('pui_record')).toBeUndefined();
  });
});
