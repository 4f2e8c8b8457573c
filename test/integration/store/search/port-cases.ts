// What every search index answers alike: documents, and questions with the documents that answer them. An adapter that cannot answer a question
// says so by name; then the case tells what it names.
import type { JsonObject } from '#domain/json.ts';
import type { SearchParameters } from '#domain/search/query/request.ts';
import type { Visibility } from '#store/search/port.ts';
import type { RecordReply } from '#test/support/make/record-replies.ts';
import { component, person, resource } from '#test/support/make/record-replies.ts';

/** The moment that NOW is in all cases. */
export const now = Date.UTC(2026, 10, 21);

/** Who asks. */
export const callers = {
  staff: { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: false },
  public: { repositories: 'all', mayNotSeeUnpublished: true, seesSuppressed: false },
  second: { repositories: [2], mayNotSeeUnpublished: false, seesSuppressed: false },
  keeper: { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: [3] },
} as const satisfies { readonly [name: string]: Visibility };

const creator: JsonObject = {
  ref: '/agents/people/1',
  role: 'creator',
  _resolved: { display_name: { sort_name: 'Goodall, Vera' }, publish: true },
};
const note = (type: string, publish: boolean, content: string): JsonObject => ({
  jsonmodel_type: 'note_multipart',
  type,
  publish,
  subnotes: [{ content }],
});

/** The records: kind and body. */
export const records: readonly RecordReply[] = [
  resource(1, {
    title: 'Vera Goodall <emph>Papers</emph>',
    id_0: 'TAM',
    id_1: '542',
    linked_agents: [creator],
    dates: [{ begin: '1922', end: '2010', date_type: 'inclusive' }],
    subjects: [{ ref: '/subjects/1', _resolved: { title: 'Peace movements' } }],
    notes: [
      note('scopecontent', true, 'Letters about disarmament'),
      note('processinfo', false, 'Confidential whereabouts'),
    ],
  }),
  resource(2, {
    title: 'Harbor maps',
    id_0: 'MC.319',
    dates: [{ begin: '1940', date_type: 'single' }],
    create_time: '2020-05-06T00:00:00Z',
  }),
  resource(3, { title: 'Maps of the old harbor', id_0: 'MS 3009', publish: false }),
  resource(4, { title: 'Hidden harbor', id_0: 'S1', suppressed: true }, 3),
  resource(5, { title: 'Box 10', id_0: 'B10' }, 3),
  resource(6, { title: 'Box 2', id_0: 'B2' }, 3),
  resource(7, { title: '東京大学 photographs', id_0: 'JP' }, 3),
  resource(
    8,
    {
      title: 'Łódź `tick` (brackets), [lists] && signs',
      id_0: 'Ł-1',
      notes: [note('scopecontent', true, 'Box of zz4 and x=y')],
    },
    3,
  ),
  component(1, {
    title: 'Rabbit',
    display_string: 'Rabbit, 1955',
    component_id: 'FA_MSS_133_ER_245',
    ancestors: [{ ref: '/repositories/2/resources/1', _resolved: { title: 'Menagerie' } }],
  }),
  component(2, { title: "O'Neill’s re-armament plan", display_string: "O'Neill’s re-armament plan" }),
  person(1, 'Goodall, Vera'),
  ...Array.from({ length: 300 }, (_, index) =>
    component(100 + index, {
      title: `Letter ${index}`,
      display_string: `Letter ${index}`,
      level: index % 3 === 0 ? 'item' : 'file',
    }),
  ),
];

/** A question and the ids that answer it, without `/repositories/`. `by` is staff where absent; `refused`: what Typesense names. */
export type Case = {
  readonly ask: Partial<SearchParameters>;
  readonly by?: keyof typeof callers;
  readonly ids: readonly string[];
  readonly refused?: readonly string[];
};

const q = (text: string, ids: readonly string[], refused?: readonly string[]): Case => ({
  ask: { q: text },
  ids,
  ...(refused === undefined ? {} : { refused }),
});
const field = (name: string, value: string): JsonObject => ({ jsonmodel_type: 'field_query', field: name, value });

/** Questions about matching; the order of their answers does not matter. */
export const matching: readonly Case[] = [
  q('harbor maps', ['2/resources/2', '2/resources/3']),
  q('"harbor maps"', ['2/resources/2']),
  q('"old harbor" -"harbor maps"', ['2/resources/3']),
  q('"maps of the old harbor"', ['2/resources/3']),
  q('"of the old" OR "harbor maps"', ['2/resources/2', '2/resources/3']),
  q('harbor -old', ['2/resources/2']),
  q('-letter -box -harbor', [
    '/agents/people/1',
    '2/archival_objects/1',
    '2/archival_objects/2',
    '2/resources/1',
    '3/resources/7',
  ]),
  q('-(harbor OR letter) box', ['3/resources/5', '3/resources/6', '3/resources/8']),
  q('NOT (NOT rabbit)', ['2/archival_objects/1']),
  q('MC.319', ['2/resources/2']),
  q('mc319', ['2/resources/2']),
  q('mc 319', ['2/resources/2']),
  q('identifier:MS-3009', ['2/resources/3']),
  q('identifier:MC*', ['2/resources/2']),
  q(`identifier:${'m'.repeat(41)}*`, [], ['the beginning of an identifier of more than 40 characters']),
  q('FA_MSS_133_ER_245', ['2/archival_objects/1']),
  q('title:papers', ['2/resources/1']),
  q('title:disarmament', []),
  q('notes:disarmament', ['2/resources/1']),
  q('notes:"about disarmament"', ['2/resources/1']),
  q('notes:papers', []),
  q('creators_text:goodall', ['2/resources/1']),
  q('subjects:"Peace movements"', ['2/resources/1']),
  q('subjects:peace', []),
  q('rearmament', ['2/archival_objects/2']),
  q('re-armament', ['2/archival_objects/2']),
  q('neill', ['2/archival_objects/2']),
  q('menagerie', ['2/archival_objects/1']),
  q('京大', ['3/resources/7']),
  q('lodz', ['3/resources/8']),
  q('zz4', ['3/resources/8']),
  q('"x=y"', ['3/resources/8']),
  q('`tick`', ['3/resources/8']),
  q('"brackets lists"', ['3/resources/8']),
  q('disarm*', ['2/resources/1']),
  q('*armament', ['2/archival_objects/2', '2/resources/1']),
  q('title:*armament', ['2/archival_objects/2']),
  q('h?rb*r maps', ['2/resources/2', '2/resources/3']),
  q('rabit~1', ['2/archival_objects/1']),
  q('title:rabit~', ['2/archival_objects/1']),
  q('level:coll*', [
    '2/resources/1',
    '2/resources/2',
    '2/resources/3',
    '3/resources/5',
    '3/resources/6',
    '3/resources/7',
    '3/resources/8',
  ]),
  q('years:194*', ['2/resources/1', '2/resources/2']),
  q('create_time:2020-05*', ['2/resources/2']),
  q('publish:f* harbor', ['2/resources/3']),
  q('identifier:*00? harbor', ['2/resources/3']),
  q('title_sort:b*', ['3/resources/5', '3/resources/6'], ['title_sort:b* (sort key)']),
  q('title_sort:box\\ 1*', ['3/resources/5'], ['title_sort:box\\ 1* (sort key)']),
  q('years:[1930 TO 1945]', ['2/resources/1', '2/resources/2']),
  q('years:1940 -years:1941', ['2/resources/2']),
  q('create_time:[2020 TO 2021]', ['2/resources/2']),
  q('harbor -create_time:[2021 TO *]', ['2/resources/2']),
  q('harbor -create_time:[2020 TO 2021}', ['2/resources/3']),
  q('level:[a TO d] harbor', ['2/resources/2', '2/resources/3']),
  q('primary_type:agent_person', ['/agents/people/1']),
  q('uri:"/agents/people/1"', ['/agents/people/1']),
  q('repository:"/repositories/3" box', ['3/resources/5', '3/resources/6', '3/resources/8']),
  q('harbor AND maps OR rabbit', ['2/archival_objects/1', '2/resources/2', '2/resources/3']),
  q('rabbit OR (harbor NOT old)', ['2/archival_objects/1', '2/resources/2']),
  q("l'\\\\'; DROP TABLE search_doc", []),
  q('"maps harbor"~4', ['2/resources/2', '2/resources/3'], ['"maps harbor"~4 (proximity)']),
  q(
    '"maps old harbor"~2 OR title:harbor^4',
    ['2/resources/2', '2/resources/3'],
    ['"maps old harbor"~2 (proximity)', 'title:harbor^4 (boost)'],
  ),
  q('harbor^=2', ['2/resources/2', '2/resources/3'], ['harbor^=2 (boost)']),
  q('uri:\\/agents*', ['/agents/people/1'], ['uri:\\/agents* (beginning of an address or of a name of one record)']),
  q(
    'uri:[/repositories/2/archival_objects/1 TO /repositories/2/archival_objects/2} -letter',
    ['2/archival_objects/1'],
    ['uri:[/repositories/2/archival_objects/1 TO /repositories/2/archival_objects/2} (range of texts)'],
  ),
  q(
    'id:{/repositories/2/resources/1 TO *} -id:[/repositories/3 TO *] -title_sort:letter',
    ['2/resources/2', '2/resources/3'],
    [
      'id:{/repositories/2/resources/1 TO *} (range of texts)',
      'id:[/repositories/3 TO *] (range of texts)',
      'title_sort:letter (sort key)',
    ],
  ),
  q('title_sort:[box TO boxz]', ['3/resources/5', '3/resources/6'], ['title_sort:[box TO boxz] (range of texts)']),
  { ask: { q: 'harbor', filter_query: ['title:old'] }, ids: ['2/resources/3'] },
  { ask: { q: 'harbor', filter_query: ['title:old^3'] }, ids: ['2/resources/3'] },
  { ask: { q: 'harbor', exclude: ['/repositories/2/resources/2'] }, ids: ['2/resources/3'] },
  { ask: { q: 'map' }, ids: [] },
  { ask: { q: 'map', stem: 'en' }, ids: ['2/resources/2', '2/resources/3'] },
  { ask: { q: 'title:map -olds', stem: 'en' }, ids: ['2/resources/2'] },
  { ask: { q: 'map -harbors', stem: 'en' }, ids: [] },
  { ask: { q: '"harbor map"', stem: 'en' }, ids: [] },
  { ask: { q: 'notes:letter', stem: 'en' }, ids: ['2/resources/1'] },
  { ask: { q: 're-armaments', stem: 'en' }, ids: ['2/archival_objects/2'] },
  { ask: { q: 'harbors', stem: 'en', filter_query: ['title:map'] }, ids: [] },
  { ask: { q: 'rabbits', stem: 'en' }, by: 'public', ids: ['2/archival_objects/1#pui'] },
  { ask: { q: 'hiding', stem: 'en' }, ids: [] },
  { ask: { type: ['agent'] }, ids: ['/agents/people/1'] },
  {
    ask: { q: 'rabbit OR neill', root_record: '/repositories/2/resources/1' },
    ids: ['2/archival_objects/1', '2/archival_objects/2'],
  },
  {
    ask: {
      aq: JSON.stringify({
        query: {
          jsonmodel_type: 'boolean_query',
          op: 'AND',
          subqueries: [
            field('title', 'harbor'),
            {
              jsonmodel_type: 'date_field_query',
              field: 'create_time',
              comparator: 'equal',
              value: '2020-05',
              precision: 'month',
            },
          ],
        },
      }),
    },
    ids: ['2/resources/2'],
  },
];

/** Questions about who sees what. */
export const visibility: readonly Case[] = [
  { ask: { q: 'hidden' }, ids: [] },
  { ask: { q: 'hidden' }, by: 'keeper', ids: ['3/resources/4'] },
  { ask: { q: 'box' }, by: 'second', ids: [] },
  { ask: { q: 'goodall' }, by: 'second', ids: ['2/resources/1', '/agents/people/1'] },
  { ask: { q: 'harbor' }, by: 'public', ids: ['2/resources/2'] },
  { ask: { q: 'confidential' }, by: 'public', ids: [] },
  { ask: { q: 'confidential' }, ids: ['2/resources/1'] },
  { ask: { q: 'rabbit' }, by: 'public', ids: ['2/archival_objects/1#pui'] },
  { ask: { q: 'rabbit' }, ids: ['2/archival_objects/1'] },
  { ask: { q: 'rabbit', type: ['pui_archival_object'] }, by: 'public', ids: ['2/archival_objects/1#pui'] },
  { ask: { q: 'rabbit', type: ['pui_archival_object'] }, ids: [] },
  { ask: { q: 'rabbit', exclude: ['/repositories/2/archival_objects/1#pui'] }, by: 'public', ids: [] },
];

/** Questions about order, given in order. */
export const ordered: readonly Case[] = [
  {
    ask: { q: 'box', type: ['resource'], sort: 'title_sort asc', filter_query: ['title:box'] },
    ids: ['3/resources/6', '3/resources/5'],
  },
  { ask: { q: 'box', sort: 'title_sort desc', filter_query: ['title:box'] }, ids: ['3/resources/5', '3/resources/6'] },
  { ask: { q: 'harbor', sort: 'create_time asc' }, ids: ['2/resources/2', '2/resources/3'] },
  { ask: { q: 'goodall' }, ids: ['2/resources/1', '/agents/people/1'] },
  {
    ask: { q: 'goodall OR rabbit', sort: 'identifier asc' },
    ids: ['2/archival_objects/1', '2/resources/1', '/agents/people/1'],
  },
  {
    ask: { q: 'goodall OR rabbit', sort: 'identifier desc' },
    ids: ['2/resources/1', '2/archival_objects/1', '/agents/people/1'],
  },
  {
    ask: { q: 'boxes', stem: 'en', sort: 'title_sort asc', filter_query: ['title:box'] },
    ids: ['3/resources/6', '3/resources/5'],
  },
  { ask: { q: 'B2 OR B10', sort: 'uri desc' }, ids: ['3/resources/6', '3/resources/5'] },
];
