// No query tells the public which components have something unpublished in them: these have a document of their own for it, others have one for all.
import { expect, it } from 'vitest';
import { ok } from '#test/support/api.ts';
import { untilIndexed } from '#test/support/indexer.ts';
import { toQuery } from '#test/support/search-query.ts';
import { idsOf, searchedService } from '#test/support/searched-service.ts';

const { api, repo, publicUser, uris } = await searchedService();

const note = {
  jsonmodel_type: 'note_multipart',
  type: 'scopecontent',
  publish: false,
  subnotes: [{ jsonmodel_type: 'note_text', content: 'Numbat' }],
};
const component = (title: string, more: object): Promise<string> =>
  api.create(`/repositories/${repo}/archival_objects`, {
    title,
    level: 'file',
    publish: true,
    resource: { ref: uris.resource },
    ...more,
  });
const open = await component('Potoroo open', {});
const partly = await component('Potoroo partly', { notes: [note] });
await untilIndexed(api.database);

const found = async (parameters: object, session: string | null = publicUser): Promise<readonly string[]> =>
  idsOf(ok(await api.get(`/search?${toQuery({ page_size: 50, ...parameters })}`, session)));
/** Which of the two a query finds, each with its own uri in the place of `URI`. */
const ofBoth = async (q: string): Promise<readonly boolean[]> =>
  Promise.all(
    [open, partly].map(async (uri) =>
      (await found({ q: `potoroo AND (${q.replaceAll('URI', uri)})` })).includes(`${uri}#pui`),
    ),
  );

it.each([
  ['pui_parent_id:*', true],
  ['*:* -pui_parent_id:*', false],
  ['pui_parent_id:"URI"', true],
  ['*:* NOT pui_parent_id:"URI"', false],
  ['pui_parent_id:\\/repositories*', true],
  ['types:pui_arch*', true],
  ['types:*_archival_object', true],
  ['types:[pui TO puj]', true],
  ['id:"URI"', true],
  ['id:"URI#pui"', true],
  ['*:* -id:"URI"', false],
  ['id:URI*', true],
  ['id:URI#p*', true],
  ['id:URI#x*', false],
  ['uri:"URI"', true],
])('%s', async (q, isFound) => {
  expect(await ofBoth(q)).toEqual([isFound, isFound]);
});

it('excluded by its own id or by that of the record, each is left out', async () => {
  for (const end of ['', '#pui'])
    expect(await found({ q: 'potoroo', exclude: [open, partly].map((uri) => `${uri}${end}`) })).toEqual([]);
});

it('and what is unpublished is found by staff alone', async () => {
  expect(await found({ q: 'numbat' })).toEqual([]);
  expect(await found({ q: 'numbat' }, api.session)).toEqual([partly]);
});
