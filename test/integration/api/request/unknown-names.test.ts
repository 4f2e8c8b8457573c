// Properties and names in resolve[] that there are not: silent as the interface has it, told, or refused.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '#domain/config.ts';
import { unknownHandling } from '../../../../apps/api/request/unknown-names.ts';
import type { Reply, TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { resourceBody } from '#test/support/records.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
});
afterAll(() => api[Symbol.asyncDispose]());

let made = 0;
const subject = (more: object = {}): object => ({
  source: 'local',
  vocabulary: '/vocabularies/1',
  terms: [{ term: `Term ${(made += 1)}`, trem: 'x', term_type: 'topical', vocabulary: '/vocabularies/1' }],
  scope_notes: 'misspelt',
  ...more,
});
const lenient = { prefer: 'respond-async, handling=lenient' };
const strict = { prefer: 'handling="strict"' };
const left = ['Unknown property, left out'];
const refused = ['Unknown property'];

describe('an unknown property', () => {
  it('goes without a word where nobody asks', async () => {
    expect((await api.post('/subjects', subject())).json.warnings).toEqual([]);
  });
  it('is told at every depth, and the record is stored, where the request is lenient', async () => {
    const reply = await api.ask('/subjects', { json: subject(), headers: lenient });
    expect([reply.status, reply.json.warnings]).toEqual([200, { scope_notes: left, 'terms/0/trem': left }]);
    expect((await api.get(reply.json.uri)).json.scope_notes).toBeUndefined();
  });
  it('is refused where the request is strict, beside what else is wrong', async () => {
    const reply = await api.ask('/subjects', { json: subject({ source: null }), headers: strict });
    expect(reply.status).toBe(400);
    expect(reply.json.error).toEqual({
      scope_notes: refused,
      'terms/0/trem': refused,
      source: ['Property is required but was missing'],
    });
  });
  it('in a ref counts too, and what replies show does not', async () => {
    const repoId = await api.repository();
    const uri = await api.create('/subjects', subject());
    const accession = {
      id_0: 'U1',
      accession_date: '2020-01-01',
      subjects: [{ ref: uri, _resolved: { title: 'x' }, note: 'x' }],
    };
    const reply = await api.ask(`/repositories/${repoId}/accessions`, { json: accession, headers: strict });
    expect([reply.status, reply.json.error]).toEqual([400, { 'subjects/0/note': refused }]);
  });
  it('of one of several children is refused with its place', async () => {
    const repoId = await api.repository();
    const resource = await api.create(`/repositories/${repoId}/resources`, resourceBody('U2'));
    const child = { title: 'A', level: 'file', resource: { ref: resource } };
    const children = [child, { ...child, tilte: 'B' }];
    const reply = await api.ask(`${resource}/children`, { json: { children }, headers: strict });
    expect([reply.status, reply.json.error]).toEqual([400, { 'children/1/tilte': refused }]);
    expect((await api.post(`${resource}/children`, { children })).status).toBe(200);
  });
  it('of a patch is told as well', async () => {
    const uri = await api.create('/subjects', subject());
    const patch = (headers: { readonly [name: string]: string }): Promise<Reply> =>
      api.ask(uri, { method: 'PATCH', json: { scope_nte: 'x', lock_version: 0 }, headers });
    const reply = await patch(strict);
    expect([reply.status, reply.json.error]).toEqual([400, { scope_nte: refused }]);
    expect((await patch(lenient)).json.warnings).toEqual({ scope_nte: left });
  });
  it('is told or refused everywhere where the installation says so, but for requests that say otherwise', async () => {
    await using firm = await startTestApi({ worker: false, environment: { MUNIMENT_UNKNOWN_PROPERTIES: 'refuse' } });
    expect((await firm.post('/subjects', subject())).status).toBe(400);
    expect((await firm.ask('/subjects', { json: subject(), headers: lenient })).status).toBe(200);
    expect((await firm.get('/subjects?page=1&resolve[]=nothing_such')).status).toBe(400);
  });
});

describe('an unknown name in resolve[]', () => {
  const path = '/agents/people?page=1&resolve[]=related_agents::subjects&resolve[]=subjects::termz&resolve[]=x%0Ay';
  it('is told in a header, because the reply is the record', async () => {
    const plain = await api.get(path);
    expect([plain.status, plain.headers.get('warning')]).toEqual([200, null]);
    const told = await api.ask(path, { headers: lenient });
    expect(told.text).toBe(plain.text);
    expect(told.headers.get('warning')).toBe('299 - "resolve[]: no record has a property subjects%3A%3Atermz, x%0Ay"');
  });
  it('is refused where the request is strict', async () => {
    const reply = await api.ask(path, { headers: strict });
    expect([reply.status, reply.json]).toEqual([
      400,
      { error: { resolve: ['No record has a property subjects::termz', 'No record has a property x\ny'] } },
    ]);
    const right = '/agents/people?page=1&resolve[]=related_agents::subjects&resolve[]=repository';
    expect((await api.ask(right, { headers: strict })).status).toBe(200);
  });
});

it('is a preference among others', () => {
  const config = readConfig({});
  expect(unknownHandling('respond-async; wait=10, handling=strict', config)).toBe('refuse');
  expect(unknownHandling('Handling = Lenient', config)).toBe('warn');
  for (const other of [undefined, '', 'handling=strictly', 'mishandling=strict', 'respond-async'])
    expect(unknownHandling(other, config)).toBe('silent');
});
