// A service with records of every kind, read as clients read it, loaded into a second service: every address answers the same.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadRoutes } from '../../../../apps/api/routes/loads.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import type { Reply, TestApi } from '../../../support/api.ts';
import { idOf, startTestApi } from '../../../support/api.ts';
import { endOfGlobalJob } from '../../../support/loads.ts';
import type { Exported } from '../../../support/exported-folder.ts';
import { asText, exportAll } from '../../../support/exported-folder.ts';
import { fillWithStates } from '../../../support/make/records-in-states.ts';

let source: TestApi;
let target: TestApi;
let exported: Exported;
let R = '';
let loaded: { status: string; log: string };
const environment = { MUNIMENT_SLUGS: 'title', MUNIMENT_ARKS: 'true' };

const load = (api: TestApi, body: string | Uint8Array, query = ''): Promise<Reply> =>
  api.ask(`/system/load${query}`, { method: 'POST', body });

beforeAll(async () => {
  source = await startTestApi({ worker: 'jobs', environment });
  R = await fillWithStates(source);
  exported = await exportAll(source);
  target = await startTestApi({ worker: 'jobs', environment });
  loaded = await endOfGlobalJob(target, (await load(target, gzipSync(asText(exported)))).json.uri);
});
afterAll(async () => {
  await source[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
});

describe('the route', () => {
  it('is for administrators', async () => {
    expect(loadRoutes.map(({ path, access }) => [path, access])).toEqual([
      ['/system/load', { all: ['administer_system'] }],
      ['/system/loads/:mark', { all: ['administer_system'] }],
    ]);
    const stranger = await source.userWith(['view_repository'], Number(R.split('/')[2]));
    expect((await source.ask('/system/load', { body: '', session: stranger })).status).toBe(403);
  });
});

describe('a load of another service', () => {
  it('completes, and names the users without a password', () => {
    expect(loaded.log).toContain('Loaded: ');
    expect(loaded.status).toBe('completed');
    expect(loaded.log).toContain('Has no password yet: ');
    expect(loaded.log).not.toContain('Has no password yet: admin');
  });

  it('reads all that can be read but what is hidden', () => {
    expect(exported.unread).toEqual([]);
  });

  it('gives every record, list and setting as the source does', async () => {
    const differing: object[] = [];
    for (const { path, text } of exported.lines.filter(({ path }) => path !== '')) {
      const reply = await target.get(path);
      const { uri: _, ...definitions } = JSON.parse(text);
      const there = path.endsWith('_definitions') ? definitions : JSON.parse(text);
      if (reply.status !== 200) differing.push({ path, status: reply.status, error: reply.text });
      else if (JSON.stringify([reply.json].flat()[0]) !== JSON.stringify(there))
        differing.push({ path, here: reply.json, there });
    }
    expect(differing).toEqual([]);
  });

  it('leaves trees in their order, and a database without a flaw', async () => {
    const resource = exported.lines.find(({ text }) => text.includes('"id_0":"TREE"'))?.path ?? '';
    for (const part of ['tree/root', 'ordered_records'])
      expect((await target.get(`${resource}/${part}`)).json).toEqual((await source.get(`${resource}/${part}`)).json);
    expect((await checkDatabase(target.database)).filter(({ count }) => count > 0)).toEqual([]);
  });

  it('gives new records ids that nothing had', async () => {
    const before = (await source.get(`${R}/accessions?all_ids=true`)).json as readonly number[];
    const made = await target.create(`${R}/accessions`, { id_0: 'NEW', accession_date: '2020-01-01' });
    expect(idOf(made)).toBeGreaterThan(Math.max(...before));
    expect((await target.get('/delete-feed?page=1')).json.results).toContain(
      `${R}/accessions/${Math.max(...before) - 1}`,
    );
  });

  it('is refused where there are records, and every clash is told where that is asked for', async () => {
    const refused = await endOfGlobalJob(target, (await load(target, asText(exported))).json.uri);
    expect(refused).toMatchObject({ status: 'failed' });
    expect(refused.log).toContain('There are records already: ');
    const clashing = await endOfGlobalJob(target, (await load(target, asText(exported), '?into_filled=true')).json.uri);
    expect(clashing.status).toBe('failed');
    const made = exported.lines.filter(({ path }) => /\/(archival_objects|resources|groups)\//.test(path));
    expect(made.length).toBeGreaterThan(10);
    for (const { path } of made) expect(clashing.log).toContain(`${path} (line `);
    expect(clashing.log).toContain('the address is taken by');
  });

  it('tells every record that cannot be stored, and stores nothing', async () => {
    await using other = await startTestApi({ worker: 'jobs', environment });
    const bad = [
      { jsonmodel_type: 'accession', uri: '/repositories/2/accessions/1', id_0: 'A', accession_date: 'when?' },
      { jsonmodel_type: 'subject', uri: '/subjects/7', source: 'local', vocabulary: '/vocabularies/1' },
      { jsonmodel_type: 'nothing', uri: '/nothing/7' },
    ];
    const text = (some: readonly object[]): string => some.map((each) => JSON.stringify(each)).join('\n');
    const first = await endOfGlobalJob(other, (await load(other, text(bad))).json.uri);
    expect(first.log).toContain('Line 3, /nothing/7: {"jsonmodel_type":["Unknown type \'nothing\'"]}');
    const second = await endOfGlobalJob(other, (await load(other, text(bad.slice(0, 2)))).json.uri);
    expect(second.log).toContain('Line 1, /repositories/2/accessions/1: ');
    expect(second.log).toContain('Line 2, /subjects/7: ');
    expect((await other.get('/subjects/7')).status).toBe(404);
    const named = { sort_name_auto_generate: true, source: 'local' };
    const known = [
      {
        jsonmodel_type: 'agent_family',
        uri: '/agents/families/8',
        names: [{ ...named, family_name: 'A', authority_id: 'x' }],
      },
      {
        jsonmodel_type: 'agent_family',
        uri: '/agents/families/9',
        names: [
          { ...named, family_name: 'B' },
          { ...named, family_name: 'C', authority_id: 'x' },
        ],
      },
    ];
    const third = await endOfGlobalJob(other, (await load(other, text(known))).json.uri);
    expect(third.log).toContain('Line 2, /agents/families/9: {"names/1/authority_id":["Authority ID must be unique"]');
  });
});
