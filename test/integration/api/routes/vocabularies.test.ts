// Lists of vocabularies and terms over HTTP (contract 6.2).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  const term = (text: string) => ({ term: text, term_type: 'topical', vocabulary: '/vocabularies/1' });
  await api.post('/subjects', {
    source: 'local',
    vocabulary: '/vocabularies/1',
    terms: [term('Rivers'), term('riverbanks'), term('100% wool')],
  });
});
afterAll(() => api[Symbol.asyncDispose]());

describe('GET /vocabularies', () => {
  it('lists vocabularies, or the one of a ref_id', async () => {
    const made = await api.post('/vocabularies', { name: 'Second', ref_id: 'second' });
    expect(made.json).toMatchObject({ status: 'Created', uri: '/vocabularies/2' });
    expect((await api.get('/vocabularies', null)).json.map((each: { ref_id: string }) => each.ref_id)).toEqual([
      'global',
      'second',
    ]);
    expect((await api.get('/vocabularies?ref_id=second', null)).json).toMatchObject([
      { name: 'Second', uri: '/vocabularies/2' },
    ]);
    expect((await api.post('/vocabularies', { name: 'Second', ref_id: 'other' })).json.error).toHaveProperty(
      'db_error',
    );
    expect((await api.get('/vocabularies/1', null)).json).toMatchObject({ name: 'global', ref_id: 'global' });
  });

  it('lists the terms of one', async () => {
    expect((await api.get('/vocabularies/1/terms', null)).json.map((term: { term: string }) => term.term)).toEqual([
      'Rivers',
      'riverbanks',
      '100% wool',
    ]);
    expect((await api.get('/vocabularies/2/terms', null)).json).toEqual([]);
    expect((await api.get('/vocabularies/99/terms', null)).json).toEqual({ error: 'Vocabulary not found' });
  });
});

describe('GET /terms', () => {
  it('finds terms by their beginning, case ignored and no sign special', async () => {
    const found = (await api.get('/terms?q=RIVER', null)).json;
    expect(found).toMatchObject({
      first_page: 1,
      last_page: 1,
      this_page: 1,
      total: 2,
      results: [{ term: 'Rivers', jsonmodel_type: 'term' }, { term: 'riverbanks' }],
    });
    expect((await api.get('/terms?q=%25', null)).json).toMatchObject({ total: 0, results: [] });
    expect((await api.get('/terms', null)).status).toBe(400);
  });
});
