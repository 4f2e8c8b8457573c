import { expect, it } from 'vitest';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { packDocuments, packedColumns } from '#domain/search/documents/packed.ts';
import { copiedFields } from '#test/support/copied.ts';

const documents = [2, 1].flatMap((id) =>
  toSearchDocuments('archival_object', {
    uri: `/repositories/2/archival_objects/${id}`,
    publish: true,
    display_string: `Letter ${id}`,
    level: 'file',
    ref_id: `r${id}`,
    notes: [{ jsonmodel_type: 'note_singlepart', type: 'abstract', publish: false, content: ['hidden'] }],
  }),
);

it('packs documents in one order, values once', () => {
  const packed = packDocuments(documents, () => false);
  expect(packed.heads.map(({ id, audience, recordId }) => [id.slice(16), audience, recordId])).toEqual([
    ['archival_objects/1', 1, 1],
    ['archival_objects/1#pui', 2, 1],
    ['archival_objects/2', 1, 2],
    ['archival_objects/2#pui', 2, 2],
  ]);
  expect(packed.values.filter(([field]) => field === 'level')).toEqual([['level', 'file']]);
  const [first] = packed.heads;
  expect(first?.values.map((place) => packed.values[place])).toEqual(
    expect.arrayContaining([
      ['level', 'file'],
      ['repository', '/repositories/2'],
    ]),
  );
});

it('counts words over new documents, listing those of others too, and no names of single records', () => {
  const counts = new Map(packDocuments(documents, ({ recordId }) => recordId === 1).words);
  expect([counts.get('letter'), counts.get('2'), counts.has('x=ref_id=r1'), counts.get('x=level=file')]).toEqual([
    2,
    0,
    false,
    2,
  ]);
});

it('gives the ends of rows of documents and of what is answered of them', () => {
  const { rows, heads } = packDocuments(documents, () => false);
  const [first] = heads;
  const document = copiedFields(rows.subarray(...(first?.document ?? [0, 0])));
  expect(document).toHaveLength(packedColumns.document.length);
  expect(document[packedColumns.document.indexOf('uri')]?.toString()).toBe('/repositories/2/archival_objects/1');
  const body = copiedFields(rows.subarray(...(first?.body ?? [0, 0])));
  expect(body).toHaveLength(packedColumns.body.length);
  expect(JSON.parse(String(body[packedColumns.body.indexOf('stored')]))).toMatchObject({ title: 'Letter 1' });
});
