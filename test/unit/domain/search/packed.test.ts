import { expect, it } from 'vitest';
import { toSearchDocuments } from '#domain/search/document.ts';
import { freshColumns, packDocuments } from '#domain/search/packed.ts';

const documents = [2, 1].flatMap((id) => toSearchDocuments('archival_object', { uri: `/repositories/2/archival_objects/${id}`, publish: true, display_string: `Letter ${id}`, level: 'file', ref_id: `r${id}`, notes: [{ jsonmodel_type: 'note_singlepart', type: 'abstract', publish: false, content: ['hidden'] }] }));

it('packs documents in one order, values once, rows in the order of heads', () => {
  const packed = packDocuments(documents, () => false);
  expect(packed.heads.map(({ id, audience, recordId }) => [id.slice(16), audience, recordId])).toEqual([
    ['archival_objects/1', 1, 1], ['archival_objects/1#pui', 2, 1], ['archival_objects/2', 1, 2], ['archival_objects/2#pui', 2, 2],
  ]);
  expect(JSON.parse(packed.rows).map((row: { readonly id: string }) => row.id)).toEqual(packed.heads.map(({ id }) => id));
  expect(packed.values.filter(([field]) => field === 'level')).toEqual([['level', 'file']]);
  const [first] = packed.heads;
  expect(first?.values.map((place) => packed.values[place])).toEqual(expect.arrayContaining([['level', 'file'], ['repository', '/repositories/2']]));
});

it('counts words over new documents, listing those of others too, and no names of single records', () => {
  const counts = new Map(packDocuments(documents, ({ recordId }) => recordId === 1).words);
  expect([counts.get('letter'), counts.get('2'), counts.has('x=ref_id=r1'), counts.get('x=level=file')]).toEqual([2, 0, false, 2]);
});

it('gives COPY lines of what is new to the index, and rows of the rest', () => {
  const packed = packDocuments(documents, ({ recordId }) => recordId === 1);
  expect(packed.heads.map(({ recordId, fresh }) => [recordId, fresh !== null])).toEqual([[1, true], [1, true], [2, false], [2, false]]);
  expect(JSON.parse(packed.rows)).toHaveLength(2);
  const line = packed.heads[0]?.fresh?.document.trimEnd().split('\t') ?? [];
  expect(line).toHaveLength(freshColumns.document.length);
  expect(line[freshColumns.document.indexOf('uri')]).toBe('/repositories/2/archival_objects/1');
  expect(JSON.parse((packed.heads[0]?.fresh?.body.split('\t')[0] ?? '').replaceAll('\\\\', '\\'))).toMatchObject({ title: 'Letter 1' });
});
