// Made records with queries whose answers were graded by hand: agents, subjects, accessions, containers, identifiers and text that is
// not in Latin letters. Grade 3: what the searcher means; 2: good as well; 1: about it. Everything not listed is grade 0.
import type { JsonObject } from '#domain/json.ts';

/** Kind, record as its GET answers it with refs resolved, by a short name that the grades use. */
export const judgedRecords: ReadonlyMap<string, readonly [kind: string, record: JsonObject]> = new Map(makeRecords());

/** Query, and grades by short name. */
export const judgedQueries: readonly (readonly [q: string, grades: { readonly [name: string]: 1 | 2 | 3 }])[] = [
  // Agents.
  ['Curie, Marie', { 'p:curie-m': 3, 'r:curie': 2, 'a:curie-gift': 2, 'p:curie-p': 1 }],
  ['marie curie', { 'p:curie-m': 3, 'r:curie': 2, 'a:curie-gift': 2, 'p:curie-p': 1 }],
  ['curie', { 'p:curie-m': 3, 'p:curie-p': 3, 'r:curie': 3, 'a:curie-gift': 2, 's:radium': 1 }],
  ['"Curie, Pierre"', { 'p:curie-p': 3 }],
  ['title:"Curie, Marie"', { 'p:curie-m': 3 }],
  ['Northfield Botanical Society', { 'c:botanical': 3, 'r:botanical': 3 }],
  ['botanical society', { 'c:botanical': 3, 'r:botanical': 3, 's:botany': 1 }],
  ['creators:"Curie, Marie"', { 'r:curie': 3, 'a:curie-gift': 3 }],
  ["O'Neill", { 'p:oneill': 3 }],
  ['oneill', { 'p:oneill': 3 }],
  ['Łukasiewicz', { 'p:luk': 3 }],
  ['lukasiewicz jan', { 'p:luk': 3 }],
  ['Montague family', { 'f:montague': 3, 'r:montague': 3 }],
  ['montag*', { 'f:montague': 3, 'r:montague': 3 }],
  // Subjects.
  ['Radium', { 's:radium': 3, 'r:curie': 2 }],
  ['Radium -- Therapeutic use', { 's:radium': 3 }],
  ['botany', { 's:botany': 3, 'r:botanical': 2 }],
  ['"Steam engines"', { 's:steam': 3, 'r:railway': 2 }],
  ['steam engines', { 's:steam': 3, 'r:railway': 2 }],
  ['subjects:"Steam engines"', { 'r:railway': 3 }],
  ['women scientists', { 's:women': 3, 'r:curie': 2 }],
  ['primary_type:subject AND women', { 's:women': 3 }],
  // Accessions.
  ['2019-042', { 'a:2019-042': 3 }],
  ['2019 042', { 'a:2019-042': 3 }],
  ['"2019-042"', { 'a:2019-042': 3 }],
  ['identifier:2019-042', { 'a:2019-042': 3 }],
  ['gift of the Curie laboratory', { 'a:curie-gift': 3 }],
  ['laboratory notebooks', { 'a:curie-gift': 3, 'o:notebooks': 3, 'r:curie': 1 }],
  ['primary_type:accession AND railway', { 'a:2019-042': 3 }],
  // Containers.
  ['39002012345678', { 't:box12': 3 }],
  ['"39002012345678"', { 't:box12': 3 }],
  ['barcode_u_sstr:39002012345678', { 't:box12': 3 }],
  ['Box 12', { 't:box12': 3 }],
  ['"Box 12"', { 't:box12': 3 }],
  ['map case 3', { 't:case3': 3 }],
  // Identifiers, also in quotes.
  ['MC 00432', { 'r:railway': 3, 'o:mc-item': 2 }],
  ['"MC 00432"', { 'r:railway': 3, 'o:mc-item': 2 }],
  ['mc00432', { 'r:railway': 3, 'o:mc-item': 2 }],
  ['"MS.2011-04/7"', { 'r:botanical': 3 }],
  ['ms 2011 04 7', { 'r:botanical': 3 }],
  ['"RG 13-A"', { 'r:montague': 3 }],
  ['rg13a', { 'r:montague': 3 }],
  // Not in Latin letters.
  ['東京', { 'r:tokyo': 3, 'o:tokyo-map': 3 }],
  ['東京大学', { 'r:tokyo': 3 }],
  ['地図', { 'o:tokyo-map': 3 }],
  ['Достоевский', { 'p:dost': 3 }],
  ['достоевский федор', { 'p:dost': 3 }],
  ['Достоевский, Фёдор', { 'p:dost': 3 }],
  ['שלום', { 'o:shalom': 3 }],
  ['محمد', { 'p:muhammad': 3 }],
  ['Ἀθῆναι', { 'o:athens': 3 }],
  ['αθηναι', { 'o:athens': 3 }],
];

function makeRecords(): (readonly [string, readonly [string, JsonObject]])[] {
  const agent = (ref: string, name: string, role = 'subject'): JsonObject => ({
    ref,
    role,
    _resolved: { title: name, display_name: { sort_name: name }, publish: true },
  });
  const subject = (ref: string, title: string): JsonObject => ({ ref, _resolved: { title, publish: true } });
  const note = (content: string): JsonObject => ({
    jsonmodel_type: 'note_multipart',
    type: 'scopecontent',
    publish: true,
    subnotes: [{ jsonmodel_type: 'note_text', content, publish: true }],
  });
  const people = [
    'Curie, Marie',
    'Curie, Pierre',
    "O'Neill, Rose",
    'Łukasiewicz, Jan',
    'Достоевский, Фёдор',
    'مُحَمَّد علي',
    'Marie, Anne',
    'Northfield, Peter',
  ];
  const names = ['p:curie-m', 'p:curie-p', 'p:oneill', 'p:luk', 'p:dost', 'p:muhammad', 'p:anne', 'p:northfield'];
  const subjects = [
    'Radium -- Therapeutic use',
    'Botany',
    'Steam engines',
    'Women scientists',
    'Steam heating',
    'Engines, Electric',
  ];
  const subjectNames = ['s:radium', 's:botany', 's:steam', 's:women', 's:heating', 's:engines'];
  const at = (path: string, id: number): JsonObject => ({
    uri: `/repositories/2/${path}/${id}`,
    repository: { ref: '/repositories/2' },
    publish: true,
  });
  const resource = (id: number, fields: JsonObject): readonly [string, JsonObject] => [
    'resource',
    { ...at('resources', id), jsonmodel_type: 'resource', level: 'collection', ...fields },
  ];
  const component = (id: number, title: string, fields: JsonObject = {}): readonly [string, JsonObject] => [
    'archival_object',
    {
      ...at('archival_objects', id),
      jsonmodel_type: 'archival_object',
      level: 'file',
      title,
      display_string: title,
      ref_id: `ref${id}`,
      ...fields,
    },
  ];
  const accession = (id: number, fields: JsonObject): readonly [string, JsonObject] => [
    'accession',
    { ...at('accessions', id), jsonmodel_type: 'accession', display_string: fields['title'], ...fields },
  ];
  const container = (id: number, type: string, indicator: string, barcode?: string): readonly [string, JsonObject] => [
    'top_container',
    {
      ...at('top_containers', id),
      jsonmodel_type: 'top_container',
      type,
      indicator,
      is_linked_to_published_record: true,
      ...(barcode === undefined ? {} : { barcode }),
      display_string: `${type[0]?.toUpperCase() ?? ''}${type.slice(1)} ${indicator}`,
      long_display_string: `${type[0]?.toUpperCase() ?? ''}${type.slice(1)} ${indicator}${barcode === undefined ? '' : ` [Barcode: ${barcode}]`}`,
    },
  ];
  const curie = agent('/agents/people/1', 'Curie, Marie', 'creator');
  const society = 'Northfield Botanical Society';
  return [
    ...people.map(
      (name, index) =>
        [
          names[index] ?? '',
          [
            'agent_person',
            {
              uri: `/agents/people/${index + 1}`,
              jsonmodel_type: 'agent_person',
              publish: true,
              title: name,
              display_name: { sort_name: name },
            },
          ],
        ] as const,
    ),
    [
      'c:botanical',
      [
        'agent_corporate_entity',
        {
          uri: '/agents/corporate_entities/1',
          jsonmodel_type: 'agent_corporate_entity',
          publish: true,
          title: society,
          display_name: { sort_name: society },
        },
      ],
    ],
    [
      'f:montague',
      [
        'agent_family',
        {
          uri: '/agents/families/1',
          jsonmodel_type: 'agent_family',
          publish: true,
          title: 'Montague family',
          display_name: { sort_name: 'Montague family' },
        },
      ],
    ],
    ...subjects.map(
      (title, index) =>
        [
          subjectNames[index] ?? '',
          [
            'subject',
            {
              uri: `/subjects/${index + 1}`,
              jsonmodel_type: 'subject',
              publish: true,
              is_linked_to_published_record: true,
              title,
            },
          ],
        ] as const,
    ),
    [
      'r:curie',
      resource(1, {
        title: 'Marie Curie papers',
        id_0: 'CUR',
        linked_agents: [curie],
        subjects: [subject('/subjects/1', subjects[0] ?? ''), subject('/subjects/4', 'Women scientists')],
        notes: [note('Correspondence and laboratory records.')],
      }),
    ],
    [
      'r:botanical',
      resource(2, {
        title: `${society} records`,
        id_0: 'MS.2011-04/7',
        linked_agents: [agent('/agents/corporate_entities/1', society, 'creator')],
        subjects: [subject('/subjects/2', 'Botany')],
      }),
    ],
    [
      'r:railway',
      resource(3, {
        title: 'Great Valley Railway records',
        id_0: 'MC 00432',
        subjects: [subject('/subjects/3', 'Steam engines')],
        notes: [note('Timetables, drawings of locomotives and minutes.')],
      }),
    ],
    [
      'r:montague',
      resource(4, {
        title: 'Montague family letters',
        id_0: 'RG 13-A',
        linked_agents: [agent('/agents/families/1', 'Montague family', 'creator')],
      }),
    ],
    ['r:tokyo', resource(5, { title: '東京大学 photographs', id_0: 'JP 1' })],
    [
      'a:curie-gift',
      accession(1, {
        title: 'Gift of the Curie laboratory: notebooks',
        id_0: '1998',
        id_1: '007',
        accession_date: '1998-03-01',
        linked_agents: [curie],
      }),
    ],
    [
      'a:2019-042',
      accession(2, {
        title: 'Railway drawings, second deposit',
        id_0: '2019',
        id_1: '042',
        accession_date: '2019-06-01',
      }),
    ],
    [
      'a:2019-043',
      accession(3, { title: 'School registers', id_0: '2019', id_1: '043', accession_date: '2019-06-02' }),
    ],
    [
      'a:2018-042',
      accession(4, { title: 'Parish registers', id_0: '2018', id_1: '042', accession_date: '2018-06-02' }),
    ],
    ['t:box12', container(1, 'box', '12', '39002012345678')],
    ['t:box1', container(2, 'box', '1', '39002012345679')],
    ['t:box2', container(3, 'box', '2')],
    ['t:case3', container(4, 'map case', '3')],
    ['o:notebooks', component(1, 'Laboratory notebooks')],
    ['o:mc-item', component(2, 'Timetable of the valley line', { component_id: 'MC 00432/1' })],
    ['o:tokyo-map', component(3, '東京地図')],
    ['o:shalom', component(4, 'שָׁלוֹם עליכם')],
    ['o:athens', component(5, 'Ἀθῆναι, views')],
    // What is like the wanted words, and not wanted.
    ...Array.from(
      { length: 120 },
      (_, n) =>
        [
          `x:${n}`,
          component(
            100 + n,
            [
              'Letters',
              'Minutes',
              'Receipts',
              'Family portraits',
              'Society news',
              'Engine house',
              'Mary and Peter',
              'Maps of the coast',
            ][n % 8] + ` ${n}, 19${String(n % 90).padStart(2, '0')}`,
            {
              component_id: `MC 0${500 + n}`,
              notes: [note(`Volume ${n % 13} of the records, with 42 plates and ${n} letters.`)],
            },
          ),
        ] as const,
    ),
  ];
}
