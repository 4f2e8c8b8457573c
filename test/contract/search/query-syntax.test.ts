// The syntax of q and how texts are taken apart, row by row (contract: behaviour-search.md section 3).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Collection } from './collection.ts';
import { startCollection } from './collection.ts';

let c: Collection;
beforeAll(async () => {
  c = await startCollection();
});
afterAll(() => c[Symbol.asyncDispose]());

const among = {
  type: ['resource', 'archival_object', 'digital_object'],
  filter_query: ['-title:abroad'],
  sort: 'title_sort asc',
};
const found = (q: string): Promise<readonly string[]> => c.find({ ...among, q });

describe('q', () => {
  it.each<[string, readonly string[]]>([
    ['harbor maps', ['papers']],
    ['"harbor maps"', ['papers']],
    ['"maps harbor"', []],
    ['harbor AND views', ['views']],
    ['views OR eire', ['views', 'eire']],
    ['title:maps NOT papers', ['eire']],
    ['title:(wallaby -papers)', ['diary']],
    ['+diary -scan -numbat', ['diary']],
    ['views or eire', []],
    ['views and eire', []],
    ['views && harbor', ['views']],
    ['views || eire', ['views', 'eire']],
    ['harbor !views', ['papers']],
    ['(views OR eire) AND harbor', ['views']],
    ['((views) OR (eire AND (maps)))', ['views', 'eire']],
    ['-harbor -wallaby -diary', ['eire']],
    ['title:diary', ['scan', 'diary']],
    ['primary_type:digital_object', ['scan']],
    ['title:(scan diary)', ['scan']],
    ['nofield:views', []],
    ['any_u_sstr:views OR any_u_stext:views OR eire', ['eire']],
    ['any_u_utext:views', []],
    ['any_u_typeahead_utext:"harbor views"~3', []],
    ['-any_u_stext:views AND eire', ['eire']],
    ['harbor:views', ['views']],
    ['subjects:*', ['papers']],
    ['map* AND harb*', ['papers']],
    ['m?ps AND title:é?re', ['eire']],
    ['*umbat', ['letters']],
    ['WALL*', ['letters', 'diary', 'papers']],
    ['"harb* maps"', []],
    ['identifier:F*', ['eire', 'diary']],
    ['identifier:FA7*', ['eire']],
    ['identifier:MS0*', ['views', 'papers']],
    ['identifier:39*', []],
    ['title:e*', ['eire']],
    ['level:f*', ['diary']],
    ['title_sort:m*', ['eire']],
    ['years:199*', ['eire']],
    ['year_sort:1900*', ['papers']],
    ['create_time:1999*', []],
    ['publish:f* AND harbor', ['views']],
    ['identifier:*001', ['papers']],
    ['harbour~', ['views', 'papers']],
    ['harbr~1 AND views', ['views']],
    ['"letters maps"~3', ['papers']],
    ['"letters maps"~1', []],
    ['years:[1900 TO 1910]', ['papers']],
    ['years:{1950 TO *}', ['eire']],
    ['create_time:[NOW-1DAY TO *] AND eire', ['eire']],
    ['create_time:[* TO 2020-01-01T00:00:00Z+1MONTH]', []],
    ['views^4 OR eire', ['views', 'eire']],
    ['(views eire)^2 OR numbat^=1', ['letters']],
    ['title:maps AND é', []],
    ['EIRE', ['eire']],
    ['MS\\-002.1', ['views']],
    ['emph', []],
    ['map', []],
    ['level:File', []],
    ['level:file', ['diary']],
    ['external_id:"EXT-1"', ['papers']],
    ['ead_id:ead.wallaby', ['papers']],
  ])('%s', async (q, expected) => {
    expect(await found(q)).toEqual(expected);
  });

  it.each(['subjects_text:*', 'title_ws:* subjects:*', 'fullrecord:* AND subjects:*', 'identifier_ws:* subjects:*'])(
    'takes copies of a field for the field: %s',
    async (q) => {
      expect(await found(q)).toEqual(['papers']);
    },
  );

  it('finds a title whole, whatever its case and punctuation', async () => {
    const [row] = (await c.search({ ...among, q: 'harbor views', fields: ['title'] })).json.results as readonly {
      readonly title: string;
    }[];
    const title = row?.title ?? '';
    for (const q of [`title_sort:"${title.toUpperCase()}"`, `title_sort:"${title}."`])
      expect(await found(q)).toEqual(['views']);
    expect(await found('title_sort:harbor')).toEqual([]);
  });

  it.each([
    'resource:*resources*',
    'agent_uris:*people*',
    'top_container_uri_u_sstr:*containers?1',
    'ref_id:*a0*',
    'uri:*resources*',
  ])('says so where the index cannot answer %s', async (q) => {
    const { status, json } = await c.search({ ...among, q });
    expect([status, json]).toEqual([400, { error: `'${q.split(':')[0]}' takes a star at the end only` }]);
  });

  it.each([
    ['m*', "The pattern 'm*' needs at least two letters or digits"],
    ['notes:m*', "The pattern 'm*' needs at least two letters or digits"],
    ['fullrecord:m*', "The pattern 'm*' needs at least two letters or digits"],
    ['create_time:19*', "'19*' is not a year, month or day, which 'create_time' needs before a star"],
    ['years:x*', "'x*' is not the beginning of a number, which 'years' needs"],
    ['years:*5', "'years' takes a star at the end only"],
    ['title_sort:*ps', "'title_sort' takes a star at the end only"],
  ])('says so where a pattern is too short, or cannot fit: %s', async (q, error) => {
    const { status, json } = await c.search({ ...among, q });
    expect([status, json]).toEqual([400, { error }]);
  });

  it('finds by the beginning of an address in any field', async () => {
    expect(await found(`resource:${c.uris['papers']?.replaceAll('/', '\\/')}*`)).toEqual(['letters', 'diary']);
  });

  it('finds by the uri of a root, quoted or not', async () => {
    expect(await found(`resource:"${c.uris['papers']}"`)).toEqual(['letters', 'diary']);
    expect(await found(`resource:${c.uris['papers']}`)).toEqual(['letters', 'diary']);
  });

  it.each(['"harbor views', '((views', 'views)', 'views AND', 'harbor (views', 'views OR OR'])(
    'searches the words of the broken %s',
    async (q) => {
      const { status, json } = await c.search({ ...among, q });
      expect([status, json.results.map((row: { readonly id: string }) => row.id)]).toEqual([200, [c.uris['views']]]);
      expect(json.warnings).toEqual([
        { column: expect.any(Number), message: expect.stringContaining('searched as plain words') },
      ]);
    },
  );

  it('does not take words of a field for words that begin alike', async () => {
    expect(await found('f1*')).toEqual([]);
  });

  it('finds an identifier however it is punctuated', async () => {
    for (const q of ['MS-002.1', 'ms 002 1', 'ms0021', 'identifier:"MS 002.1"'])
      expect(await found(q)).toEqual(['views']);
  });

  it('puts a record before its parts', async () => {
    expect(
      (await c.find({ q: 'wallaby', type: ['resource', 'archival_object'], filter_query: ['-title:abroad'] }))[0],
    ).toBe('papers');
  });

  it('orders keys by number, whatever the case and the accents', async () => {
    expect(await c.find({ type: ['top_container'], sort: 'indicator_u_icusort asc' })).toEqual(['box2', 'box']);
    expect(await c.find({ type: ['top_container'], sort: 'top_container_u_icusort desc' })).toEqual(['box', 'box2']);
  });
});
