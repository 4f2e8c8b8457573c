// What stands in a collection or a digital object is found by the identifier of that and words of its own.
import { expect, it } from 'vitest';
import { ok } from '#test/support/api.ts';
import { untilIndexed } from '#test/support/indexer.ts';
import { serveRecords } from '#test/support/record-service.ts';
import { toQuery } from '#test/support/search-query.ts';
import { idsOf } from '#test/support/searched-service.ts';

const { api, records, save } = await serveRecords();

const found = async (q: string): Promise<readonly string[]> => {
  await untilIndexed(api.database);
  return idsOf(ok(await api.get(`/search?${toQuery({ q, page_size: 50 })}`)));
};

it.each([
  ['archival_object', 'resource', { id_0: 'WAG', id_1: '261' }, { id_1: '4711' }],
  ['digital_object_component', 'digital_object', { digital_object_id: 'WEG.261' }, { digital_object_id: 'WEG.4711' }],
])('%s', async (kind, root, identifier, later) => {
  const letters = JSON.stringify(identifier).match(/W.G/)?.[0];
  const above = await records.make(root, identifier);
  const below = await records.make(kind, { title: 'Sorrento', [root]: { ref: above } });
  const q = '261 sorrento';
  expect(await found(`${letters}.${q}`)).toEqual([below]);
  // The collection itself comes first where it alone is asked for.
  expect((await found(`${letters}-261`))[0]).not.toBe(below);
  ok(await save(above, later));
  expect(await found(`${letters} ${q}`)).toEqual([]);
  expect(await found(`${letters} ${q.replace('261', '4711')}`)).toEqual([below]);
});
