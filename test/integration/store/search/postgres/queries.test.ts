// What is found for queries as people and programs write them.
import { describe, expect, it } from 'vitest';
import { indexRecords, records } from '#test/support/searched-documents.ts';

const { find, idsOf } = await indexRecords();

describe('matching', () => {
  const table: readonly (readonly [string, readonly string[]])[] = [
    ['harbor maps', ['2/resources/2', '2/resources/3']],
    ['"harbor maps"', ['2/resources/2']],
    ['"maps harbor"~4', ['2/resources/2', '2/resources/3']],
    ['"maps old harbor"~2', ['2/resources/3']],
    ['"maps old harbor"~1', []],
    ['harbor -old', ['2/resources/2']],
    [
      '-letter -box -harbor -harbor',
      ['/agents/people/1', '2/archival_objects/1', '2/archival_objects/2', '2/resources/1', '3/resources/7'],
    ],
    ['MC.319', ['2/resources/2']],
    ['mc319', ['2/resources/2']],
    ['mc 319', ['2/resources/2']],
    ['identifier:MS-3009', ['2/resources/3']],
    ['identifier:MC*', ['2/resources/2']],
    ['FA_MSS_133_ER_245', ['2/archival_objects/1']],
    ['title:papers', ['2/resources/1']],
    ['title:disarmament', []],
    ['notes:disarmament', ['2/resources/1']],
    ['notes:papers', []],
    ['creators_text:zinn', ['2/resources/1']],
    ['subjects:"Peace movements"', ['2/resources/1']],
    ['subjects:peace', []],
    ['rearmament', ['2/archival_objects/2']],
    ['re-armament', ['2/archival_objects/2']],
    ['neill', ['2/archival_objects/2']],
    ['menagerie', ['2/archival_objects/1']],
    ['京大', ['3/resources/7']],
    ['京', ['3/resources/7']],
    ['disarm*', ['2/resources/1']],
    ['*armament', ['2/archival_objects/2', '2/resources/1']],
    ['title:*armament', ['2/archival_objects/2']],
    ['h?rb*r maps', ['2/resources/2', '2/resources/3']],
    ['rabit~1', ['2/archival_objects/1']],
    ['title:rabit~', ['2/archival_objects/1']],
    ['years:[1930 TO 1945]', ['2/resources/1', '2/resources/2']],
    ['years:1940 -years:1941', ['2/resources/2']],
    ['create_time:[2020 TO 2021]', ['2/resources/2']],
    ['title_sort:[box TO boxz]', ['3/resources/5', '3/resources/6']],
    ['primary_type:agent_person', ['/agents/people/1']],
    ['uri:"/agents/people/1"', ['/agents/people/1']],
    ['uri:\\/agents*', ['/agents/people/1']],
    ['repository:"/repositories/3"', ['3/resources/5', '3/resources/6', '3/resources/7']],
    [
      'level:[a TO d]',
      ['2/resources/1', '2/resources/2', '2/resources/3', '3/resources/5', '3/resources/6', '3/resources/7'],
    ],
    ['harbor AND maps OR rabbit', ['2/archival_objects/1', '2/resources/2', '2/resources/3']],
    ['rabbit OR (harbor NOT old)', ['2/archival_objects/1', '2/resources/2']],
    ['finding_aid_title:* ', ['2/resources/1']],
    ["l'\\\\'; DROP TABLE search_doc", []],
  ];
  it.each(table)('finds for %s', async (q, expected) => {
    expect([...(await idsOf({ q }))].sort()).toEqual(expected.map((id) => id).sort());
  });

  it('finds everything without a query', async () => {
    expect((await find({}))['total_hits']).toBe(records.length - 1);
  });

  it('reads structured queries', async () => {
    const aq = JSON.stringify({
      query: {
        jsonmodel_type: 'boolean_query',
        op: 'AND',
        subqueries: [
          { jsonmodel_type: 'field_query', field: 'title', value: 'harbor' },
          {
            jsonmodel_type: 'date_field_query',
            field: 'create_time',
            comparator: 'equal',
            value: '2020-05',
            precision: 'month',
          },
        ],
      },
    });
    expect(await idsOf({ aq })).toEqual(['2/resources/2']);
  });

  it('refuses a pattern that fits too much and one with a single letter', async () => {
    await expect(find({ q: 'a*' })).rejects.toMatchObject({ code: 'unsupported_query' });
  });

  it('refuses what is too much for PostgreSQL altogether, though each part may be asked', async () => {
    const words = (from: number): string =>
      Array.from({ length: 1000 }, (_, index) => `${'क'.repeat(200)}${from + index}`).join(' OR ');
    expect((await find({ q: words(0) }))['total_hits']).toBe(0);
    await expect(find({ q: words(0), filter_query: [words(1000)] })).rejects.toMatchObject({
      code: 'unsupported_query',
    });
  });

  it('finds by fields that replies copy, wherever they have them', async () => {
    const total = async (q: string): Promise<unknown> => (await find({ q, page_size: 1 }))['total_hits'];
    const noted = await total('notes:*');
    expect(noted).toBeGreaterThan(150);
    expect(await total('notes_published:*')).toBe(noted);
    expect(await total('fullrecord_published:*')).toBe(await total('*:*'));
  });
});
