// Harvests over time: what is deleted, hidden and shown again, writes while a harvest runs, and tokens that outlive the process.
import { isDeepStrictEqual } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '#domain/config.ts';
import { Database } from '#store/connection/database.ts';
import { Listener } from '#store/connection/listener.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import type { Harvested } from '#test/support/oai-reply.ts';
import { startApi } from '../../../apps/api/start.ts';
import { change, codeIn, harvest, makeComponent, makeResource, oai, recordsIn, tokenIn } from './records.ts';

let api: TestApi;
let repoId: number;
beforeAll(async () => {
  api = await startTestApi();
  repoId = await publicRepository('ONE');
});
afterAll(async () => api[Symbol.asyncDispose]());

async function publicRepository(code: string): Promise<number> {
  const id = await api.repository(code);
  await change(api, `/repositories/${id}`, { publish: true });
  return id;
}

const id = (uri: string): string => `oai:muniment:${uri}`;
const stateOf = async (uri: string): Promise<string> => {
  const xml = await oai(api, { verb: 'GetRecord', metadataPrefix: 'oai_dc', identifier: id(uri) });
  return codeIn(xml) ?? (recordsIn(xml)[0]?.deleted === true ? 'deleted' : 'shown');
};
/** How one list has these records. */
const listed = async (uris: readonly string[]): Promise<readonly string[]> => {
  const { records } = await harvest(api, { verb: 'ListIdentifiers' });
  return uris.map((uri) => {
    const found = records.filter(({ identifier }) => identifier === id(uri));
    return found.map(({ deleted }) => (deleted ? 'deleted' : 'shown')).join() || 'absent';
  });
};
const listedAs = async (uri: string): Promise<string> => (await listed([uri]))[0] ?? '';
const bothAre = async (uris: readonly string[], state: string): Promise<void> => {
  expect(await Promise.all(uris.map(stateOf)), 'GetRecord').toEqual(uris.map(() => state));
  expect(await listed(uris), 'ListIdentifiers').toEqual(uris.map(() => state));
};

describe('records that go', () => {
  it('are listed as deleted', async () => {
    const uri = await makeResource(api, repoId, 'GO1');
    await bothAre([uri], 'shown');
    await api.del(uri);
    await bothAre([uri], 'deleted');
  });
  it('are listed as deleted though nobody harvested them', async () => {
    const uri = await makeResource(api, repoId, 'GO2');
    await api.del(uri);
    await bothAre([uri], 'deleted');
  });
  it('are never told of where they were not public', async () => {
    const uri = await makeResource(api, repoId, 'GO3', { publish: false });
    await api.del(uri);
    expect([await stateOf(uri), await listedAs(uri)]).toEqual(['idDoesNotExist', 'absent']);
  });
  it('to another repository are deleted at the old address and shown at the new', async () => {
    const other = await publicRepository('TWO');
    await api.post(`/repositories/${repoId}`, (await api.get(`/repositories/${repoId}`)).json);
    const uri = await makeResource(api, repoId, 'GO4');
    const below = await makeComponent(api, uri, 'Goes too');
    await bothAre([uri, below], 'shown');
    const moved = await api.ask(`${uri}/transfer?target_repo=/repositories/${other}`, { method: 'POST' });
    expect(moved.status, moved.text).toBe(200);
    await bothAre([uri, below], 'deleted');
    await bothAre(
      [uri, below].map((each) => each.replace(`/repositories/${repoId}/`, `/repositories/${other}/`)),
      'shown',
    );
  });
});

describe('records that are hidden', () => {
  it('appear as deleted with all below them, with a new datestamp, and return when they are shown again', async () => {
    const root = await makeResource(api, repoId, 'HI1');
    const series = await makeComponent(api, root, 'Series');
    const file = await makeComponent(api, root, 'File', { parent: { ref: series } });
    await bothAre([root, series, file], 'shown');
    // An update of one record, which touches nothing below it.
    await change(api, series, { publish: false });
    await bothAre([series, file], 'deleted');
    await bothAre([root], 'shown');
    await change(api, series, { publish: true });
    await bothAre([root, series, file], 'shown');
    await api.post(`${root}/unpublish`);
    await bothAre([root, series, file], 'deleted');
    await api.post(`${root}/publish`);
    await bothAre([root, series, file], 'shown');
    await api.post(`${root}/suppressed?suppressed=true`);
    await bothAre([root, series, file], 'deleted');
  });
  it('by their repository, its OAI switch or its levels appear as deleted', async () => {
    const third = await publicRepository('THREE');
    const root = await makeResource(api, third, 'HI2');
    const file = await makeComponent(api, root, 'File');
    await bothAre([root, file], 'shown');
    await change(api, `/repositories/${third}`, { publish: false });
    await bothAre([root, file], 'deleted');
    await change(api, `/repositories/${third}`, { publish: true });
    await bothAre([root, file], 'shown');
    await change(api, `/repositories/${third}`, { oai_is_disabled: true });
    await bothAre([root, file], 'deleted');
    const levels: { readonly enumeration_values: readonly { readonly id: number; readonly value: string }[] } = (
      await api.get('/config/enumerations')
    ).json.find((list: { readonly name: string }) => list.name === 'archival_record_level');
    const ofFile = levels.enumeration_values.find(({ value }) => value === 'file')?.id;
    await change(api, `/repositories/${third}`, { oai_is_disabled: false, oai_sets_available: `["${ofFile}"]` });
    await bothAre([file], 'shown');
    await bothAre([root], 'deleted');
  });
  it('with a place below something hidden are never told of', async () => {
    const root = await makeResource(api, repoId, 'HI3', { publish: false });
    const file = await makeComponent(api, root, 'File');
    expect([await stateOf(file), await listedAs(file)]).toEqual(['idDoesNotExist', 'absent']);
    await change(api, root, { publish: true });
    await bothAre([file], 'shown');
  });
  it('by a move below something hidden appear as deleted', async () => {
    const root = await makeResource(api, repoId, 'HI4');
    const [hidden, file] = [
      await makeComponent(api, root, 'Hidden', { publish: false }),
      await makeComponent(api, root, 'File'),
    ];
    await bothAre([file], 'shown');
    expect((await api.post(`${file}/parent?parent=${hidden.split('/').at(-1)}&position=0`)).status).toBe(200);
    await bothAre([file], 'deleted');
  });
});

describe('datestamps', () => {
  const stampOf = async (uri: string): Promise<string> =>
    (await harvest(api, { verb: 'ListIdentifiers' })).records.find(({ identifier }) => identifier === id(uri))
      ?.datestamp ?? '';
  const nextSecond = async (stamp: string): Promise<void> => {
    // Stamps are whole seconds, so two changes are told apart in different ones alone.
    while (Date.now() < Date.parse(stamp) + 1000) await new Promise((resolve) => setTimeout(resolve, 50));
  };
  it('rise when a shown agent is renamed, and not when a typo in an unseen property is mended', async () => {
    const agent = await api.create('/agents/people', {
      publish: true,
      names: [{ primary_name: 'Old', name_order: 'direct', source: 'local', sort_name_auto_generate: true }],
    });
    const uri = await makeResource(api, repoId, 'DA1', { linked_agents: [{ role: 'creator', ref: agent }] });
    const before = await stampOf(uri);
    await nextSecond(before);
    const { json } = await api.get(agent);
    await api.post(agent, { ...json, dates_of_existence: [], notes: [] });
    expect(await stampOf(uri)).toBe(before);
    await api.post(agent, {
      ...(await api.get(agent)).json,
      names: [{ ...json.names[0], primary_name: 'New', sort_name_auto_generate: true }],
    });
    expect((await stampOf(uri)) > before).toBe(true);
  });
  it('rise when MARC and EAD show another authority or code, though the heading reads the same', async () => {
    const agent = await api.create('/agents/people', {
      publish: true,
      names: [{ primary_name: 'Authority', name_order: 'direct', source: 'local', sort_name_auto_generate: true }],
    });
    const subject = await api.create('/subjects', {
      source: 'local',
      vocabulary: '/vocabularies/1',
      terms: [{ term: 'Authority', term_type: 'topical', vocabulary: '/vocabularies/1' }],
    });
    const uri = await makeResource(api, repoId, 'DA4', {
      linked_agents: [{ role: 'creator', ref: agent }],
      subjects: [{ ref: subject }],
    });
    const { json: shown } = await api.get(agent);
    const changes: readonly (readonly [string, object])[] = [
      [agent, { names: [{ ...shown.names[0], authority_id: 'n 1' }] }],
      [agent, { agent_record_identifiers: [{ record_identifier: 'n 2', primary_identifier: true, source: 'naf' }] }],
      [subject, { authority_id: 'sh 1' }],
      [`/repositories/${repoId}`, { org_code: 'CODE' }],
    ];
    for (const [changed, properties] of changes) {
      const before = await stampOf(uri);
      await nextSecond(before);
      await change(api, changed, properties);
      expect([changed, (await stampOf(uri)) > before]).toEqual([changed, true]);
    }
  });
  it('rise below a record whose title changes', async () => {
    const root = await makeResource(api, repoId, 'DA2');
    const file = await makeComponent(api, root, 'File');
    const before = await stampOf(file);
    await nextSecond(before);
    await change(api, root, { title: 'Another' });
    expect((await stampOf(file)) > before).toBe(true);
  });
  it('stay below a record that was listed before it had anything below, and is saved without a change to what it shows', async () => {
    const root = await makeResource(api, repoId, 'DA3');
    expect(await stampOf(root)).not.toBe('');
    const file = await makeComponent(api, root, 'File');
    const before = await stampOf(file);
    await nextSecond(before);
    await change(api, root, { repository_processing_note: 'seen by nobody outside' });
    expect((await stampOf(root)) > before).toBe(true);
    expect(await stampOf(file)).toBe(before);
  });
});

describe('a harvest', () => {
  it('with writes beside it misses and repeats nothing, and the next one brings what changed', async () => {
    const root = await makeResource(api, repoId, 'HA1');
    const uris: string[] = [];
    for (let n = 0; n < 120; n++) uris.push(await makeComponent(api, root, `Part ${n}`));
    // A list waits a second and a half for what was written before it, which a busy machine may exceed.
    await expect.poll(() => listedAs(uris.at(-1) ?? ''), { interval: 500 }).toBe('shown');
    const seen = new Map<string, Harvested>();
    const apply = (records: readonly Harvested[]): void =>
      records.forEach((record) => seen.set(record.identifier, record));
    const changed = new Set<string>();
    let round = 0;
    const first = await harvest(api, {}, async () => {
      // A change, a deletion, an unpublishing and a new record for each page, at both ends of the list.
      round += 1;
      const [edited, gone, hidden] = [uris[round * 3] ?? '', uris[119 - round * 3] ?? '', uris[60 + round] ?? ''];
      await change(api, edited, { title: `Changed ${round}` });
      await api.del(gone);
      await change(api, hidden, { publish: false });
      [edited, gone, hidden].forEach((uri) => changed.add(id(uri)));
      uris.push(await makeComponent(api, root, `New ${round}`));
    });
    const names = first.records.map(({ identifier }) => identifier);
    expect(first.pages).toBeGreaterThan(4);
    expect(new Set(names).size, 'nothing is repeated').toBe(names.length);
    const untouched = uris
      .slice(0, 120)
      .map(id)
      .filter((identifier) => !changed.has(identifier));
    expect(
      untouched.filter((identifier) => !names.includes(identifier)),
      'nothing that stays as it is is missed',
    ).toEqual([]);
    apply(first.records);
    // As harvesters do: since the time of the first reply.
    apply((await harvest(api, { from: first.time })).records);
    const final = (await harvest(api, {})).records;
    expect(
      final
        .map((record) => [record.identifier, isDeepStrictEqual(seen.get(record.identifier), record)])
        .filter(([, same]) => same === false),
    ).toEqual([]);
    expect(seen.size).toBe(final.length);
  });

  it('goes on after a restart, with empty token and cursor at its end', async () => {
    const before = await harvest(api, { verb: 'ListIdentifiers' });
    const first = await oai(api, { verb: 'ListIdentifiers', metadataPrefix: 'oai_dc' });
    const database = new Database({ url: api.databaseUrl, poolSize: 3 });
    const listener = new Listener({ url: api.databaseUrl });
    const again = await startApi({
      config: readConfig({ PORT: '0' }),
      database,
      listener,
      log: pino({ level: 'silent' }),
    });
    try {
      const ask: TestApi['ask'] = async (path) => {
        const reply = await fetch(`${again.url}${path}`);
        return { status: reply.status, headers: reply.headers, text: await reply.text(), json: undefined };
      };
      const names = recordsIn(first).map(({ identifier }) => identifier);
      let last = first;
      for (let token = tokenIn(first); token !== null; token = tokenIn(last)) {
        last = await oai({ ask }, { verb: 'ListIdentifiers', resumptionToken: token });
        names.push(...recordsIn(last).map(({ identifier }) => identifier));
      }
      expect(names).toEqual(before.records.map(({ identifier }) => identifier));
      expect(last).toContain(`<resumptionToken cursor="${names.length - recordsIn(last).length}"/></ListIdentifiers>`);
    } finally {
      await again[Symbol.asyncDispose]();
      await listener[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    }
  });

  it('refuses a token that somebody changed', async () => {
    const token = tokenIn(await oai(api, { verb: 'ListIdentifiers', metadataPrefix: 'oai_dc' })) ?? '';
    for (const wrong of [token.slice(1), `${token}x`, token.replace('.', ''), `${token}.x`])
      expect(codeIn(await oai(api, { verb: 'ListIdentifiers', resumptionToken: wrong }))).toBe('badResumptionToken');
  });
});
