// What search answers of records that name others: the way to a classification, and of containers to the public all but what is internal
// (contract behaviour-search.md section 9).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { untilIndexed } from '#test/support/indexer.ts';
import type { HttpRecords } from '#test/support/make/http-records.ts';
import { httpRecords } from '#test/support/make/http-records.ts';
import { publicUserSession } from '#test/support/public-user.ts';

let api: TestApi;
let records: HttpRecords;
let visitor = '';
beforeAll(async () => {
  api = await startTestApi();
  records = await httpRecords(api);
  visitor = await publicUserSession(api, records.repoId);
  const { json } = await api.get(`/repositories/${records.repoId}`);
  await api.post(`/repositories/${records.repoId}`, { ...json, publish: true });
});
afterAll(async () => api[Symbol.asyncDispose]());

async function find(q: string, session?: string): Promise<readonly any[]> {
  await untilIndexed(api.database);
  return (await api.get(`/search?page=1&page_size=100&q=${encodeURIComponent(q)}`, session)).json.results;
}

async function change(uri: string, changes: object): Promise<void> {
  const { json } = await api.get(uri);
  expect((await api.post(uri, { ...json, ...changes })).status).toBe(200);
}

describe('the internal note of a container', () => {
  it('is found and read by staff alone, of the container and of what is in it', async () => {
    const container = await records.make('top_container', {
      indicator: 'N1',
      internal_note: 'Quarantined because of silverfish',
    });
    const resource = await records.make('resource', {
      title: 'Moth papers',
      publish: true,
      instances: [{ instance_type: 'text', sub_container: { top_container: { ref: container } } }],
    });
    const file = await records.make('archival_object', {
      title: 'Moth file',
      publish: true,
      resource: { ref: resource },
      instances: [{ instance_type: 'text', sub_container: { top_container: { ref: container } } }],
    });
    expect((await find('silverfish')).map(({ uri }) => uri)).toEqual([container]);
    for (const q of [
      'silverfish',
      'notes:silverfish',
      'notes_published:silverfish',
      'fullrecord:silverfish',
      'silverfis*',
    ])
      expect(await find(q, visitor), q).toEqual([]);
    const shown = await find('moth OR primary_type:top_container', visitor);
    expect(shown.map(({ uri }) => uri).sort()).toEqual([file, resource, container].sort());
    expect(JSON.stringify(shown)).not.toMatch(/silverfish|internal_note/);
    const facets = await api.get(
      `/search?page=1&facet[]=types&q=${encodeURIComponent(`id:"${container}"`)}&hl=true`,
      visitor,
    );
    expect(facets.text).not.toMatch(/silverfish/);
    const [own] = await find(`id:"${container}"`);
    expect([own.notes, own.notes_published, JSON.parse(own.json).internal_note]).toEqual([
      ['Quarantined because of silverfish'],
      undefined,
      'Quarantined because of silverfish',
    ]);
    const [whole] = await find(`id:"${file}"`);
    expect(JSON.parse(whole.json).instances[0].sub_container.top_container._resolved.internal_note).toContain(
      'silverfish',
    );
  });
});

describe('what is classified', () => {
  const pathsOf = async (uri: string, session?: string): Promise<unknown> => {
    const [row] = await find(`uri:"${uri}"`, session);
    return row && [row.classification_uris, row.classification_paths?.map((path: string) => JSON.parse(path))];
  };

  it('says the way to its classes, whichever side named the other, and follows their changes', async () => {
    const scheme = await records.make('classification', { title: 'Offices', identifier: 'O' });
    const term = await records.make('classification_term', {
      title: 'Registry',
      identifier: 'R',
      classification: { ref: scheme },
    });
    const resource = await records.make('resource', { publish: true, classifications: [{ ref: term }] });
    const [accession, object] = [await records.make('accession'), await records.make('digital_object')];
    await change(term, { linked_records: [{ ref: resource }, { ref: accession }] });
    await change(scheme, { linked_records: [{ ref: object }] });
    const root = { title: 'Offices', identifier: 'O' };
    const paths = [[term], [[root, { title: 'Registry', identifier: 'R' }]]];
    expect(await pathsOf(resource)).toEqual(paths);
    expect(await pathsOf(resource, visitor)).toEqual(paths);
    expect(await pathsOf(accession)).toEqual(paths);
    expect(await pathsOf(object)).toEqual([[scheme], [[root]]]);
    expect(
      (await find(`classification_paths:"${JSON.stringify([root]).replaceAll('"', '\\"')}"`)).map(({ uri }) => uri),
    ).toEqual([object]);
    await change(scheme, { title: 'Bureaux' });
    expect(await pathsOf(resource)).toEqual([
      [term],
      [
        [
          { ...root, title: 'Bureaux' },
          { title: 'Registry', identifier: 'R' },
        ],
      ],
    ]);
    expect(await pathsOf(object)).toEqual([[scheme], [[{ ...root, title: 'Bureaux' }]]]);
    const { json } = await api.get(resource);
    await api.post(resource, { ...json, classifications: [] });
    expect(await pathsOf(resource)).toEqual([undefined, undefined]);
  });
});
