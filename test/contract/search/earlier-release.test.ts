// Where release R-A answers searches otherwise than R-B (contract: behaviour-search.md section 13).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Collection } from './collection.ts';
import { advanced, startCollection } from './collection.ts';

let c: Collection;
beforeAll(async () => {
  c = await startCollection('R-A');
});
afterAll(() => c[Symbol.asyncDispose]());

describe('in release R-A', () => {
  it('marks with em: for q in titles and identifiers, for aq in all stored texts', async () => {
    const papers = c.uris['papers'] ?? '';
    const q = (await c.search({ q: 'wallaby letters', hl: true, type: ['resource'] })).json.highlighting[papers];
    expect(q).toEqual({ title: ['<em>Wallaby</em> papers'] });
    const aq = advanced({ jsonmodel_type: 'field_query', field: 'keyword', value: 'wallaby letters' });
    expect((await c.search({ aq, hl: true, type: ['resource'] })).json.highlighting[papers]).toMatchObject({
      notes: ['<em>Letters</em> about harbor maps of the old town'],
    });
  });

  it('answers notes as one text', async () => {
    const [row] = (await c.search({ q: 'title:papers', type: ['resource'], fields: ['notes', 'id'] })).json.results;
    expect(row.notes).toBe('Letters about harbor maps of the old town Confidential whereabouts');
  });
});
