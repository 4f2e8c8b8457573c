// EAC-CPF goes out, comes in, and goes out the same: agents made from their schemas in 2.0, and the same agent by way of either version.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { objectsOf } from '#domain/json.ts';
import { agentCorporateEntity } from '#domain/kinds/agent_corporate_entity.ts';
import { agentFamily } from '#domain/kinds/agent_family.ts';
import { agentPerson } from '#domain/kinds/agent_person.ts';
import { essenceOfEac, exportAgent, importAgents, resolved, toldByBoth } from '../../support/eac-round-trip.ts';
import { exportFaults } from '../../support/export-faults.ts';
import { bodyFor } from '../../support/make/from-schema.ts';
import { seededRandom } from '#test/support/random.ts';
import { referenceLists } from '../../support/make/lists.ts';

const seed = Number(process.env['SEED'] ?? 20260731);
const lists = referenceLists();
// What generated agents may refer to.
const others: { readonly [uri: string]: JsonObject } = {
  '/subjects/1': {
    jsonmodel_type: 'subject',
    source: 'aat',
    terms: [{ term: 'Poet & printer', term_type: 'topical' }],
    publish: true,
  },
  '/subjects/2': {
    jsonmodel_type: 'subject',
    source: 'lcsh',
    terms: [{ term: 'Ōtākou', term_type: 'geographic' }],
    publish: true,
  },
  '/agents/people/1': {
    jsonmodel_type: 'agent_person',
    publish: true,
    names: [
      {
        jsonmodel_type: 'name_person',
        primary_name: 'Roe, the elder',
        rest_of_name: 'Ann',
        dates: '1900-',
        is_display_name: true,
      },
    ],
  },
  '/agents/families/1': {
    jsonmodel_type: 'agent_family',
    publish: true,
    names: [{ jsonmodel_type: 'name_family', family_name: 'Roe', prefix: 'van', is_display_name: true }],
  },
  '/agents/corporate_entities/1': {
    jsonmodel_type: 'agent_corporate_entity',
    publish: true,
    names: [
      {
        jsonmodel_type: 'name_corporate_entity',
        primary_name: 'Union',
        subordinate_name_1: 'Library',
        is_display_name: true,
      },
    ],
  },
};
const uris: { readonly [kind: string]: readonly string[] } = {
  subject: ['/subjects/1', '/subjects/2'],
  agent_person: ['/agents/people/1'],
  agent_family: ['/agents/families/1'],
  agent_corporate_entity: ['/agents/corporate_entities/1'],
};

function makeAgent(
  kind: { readonly name: string; readonly schema: Parameters<typeof bodyFor>[0] },
  random: () => number,
): JsonObject {
  const pick = <Item>(items: readonly Item[]): Item | null => items[Math.floor(random() * items.length)] ?? null;
  const body = bodyFor(
    kind.schema,
    {
      random,
      listValues: (list) => lists.get(list)?.values ?? [],
      uriOf: (kinds) => pick(kinds.flatMap((each) => uris[each] ?? [])),
    },
    0.7,
  );
  const names = objectsOf(body, 'names').map((name, at) => ({
    ...name,
    authorized: at === 0,
    is_display_name: at === 0,
  }));
  // An import keeps one of two equal identifiers.
  const identifiers = objectsOf(body, 'agent_identifiers').filter(
    (one, at, all) => all.findIndex((other) => other['entity_identifier'] === one['entity_identifier']) === at,
  );
  return resolved(
    {
      ...body,
      agent_identifiers: identifiers,
      uri: '/agents/x/1',
      publish: true,
      create_time: '2026-01-01T00:00:00Z',
      names,
    },
    (ref) => others[ref],
  );
}

const agentKinds = [agentPerson, agentFamily, agentCorporateEntity];

describe('EAC-CPF 2.0 of a generated agent', () => {
  test.each(agentKinds.map((kind) => [kind.name, kind] as const))(
    'of kind %s comes out the same after an import',
    async (name, kind) => {
      console.info(`seed ${seed}`);
      const random = seededRandom(seed);
      for (let run = 0; run < 60; run += 1) {
        const once = exportAgent(makeAgent(kind, random), 2);
        const { agents } = await importAgents(once);
        expect(agents.map((agent) => agent['jsonmodel_type'])).toEqual([name]);
        const twice = exportAgent({ ...agents[0] }, 2);
        expect(essenceOfEac(twice), `run ${run}`).toEqual(essenceOfEac(once));
      }
    },
  );
});

describe('EAC-CPF 2010 and 2.0 of an agent', () => {
  test.each(agentKinds.map((kind) => [kind.name, kind] as const))(
    'of kind %s give the same agent',
    async (_name, kind) => {
      const random = seededRandom(seed + 1);
      for (let run = 0; run < 60; run += 1) {
        const agent = makeAgent(kind, random);
        const [first, second] = [await importAgents(exportAgent(agent, 1)), await importAgents(exportAgent(agent, 2))];
        expect(toldByBoth({ ...second.agents[0] }), `run ${run}`).toEqual(toldByBoth({ ...first.agents[0] }));
      }
    },
  );
});

describe('sub-notes of an agent', () => {
  const text = (content: string): JsonObject => ({ jsonmodel_type: 'note_text', content });
  const list = { jsonmodel_type: 'note_orderedlist', items: ['Poems', 'Letters'] };
  const lists = [
    list,
    { jsonmodel_type: 'note_definedlist', items: [{ label: '1900', value: 'Rome: arrived' }] },
    {
      jsonmodel_type: 'note_outline',
      levels: [
        {
          jsonmodel_type: 'note_outline_level',
          items: ['Trade', { jsonmodel_type: 'note_outline_level', items: ['Wool', 'Tea'] }, 'Office'],
        },
      ],
    },
  ];
  const link = { href: 'http://example.org/b', title: 'The book', role: 'http://example.org/role' };
  const citation = { jsonmodel_type: 'note_citation', content: ['A book'], xlink: link };
  const chronology = {
    jsonmodel_type: 'note_chronology',
    items: [{ event_date: '1900', place: 'Rome', events: ['Arrived'] }, { place: 'Paris' }],
  };
  const life = [text('Early years.'), ...lists, text('Late years.'), chronology, citation];
  const notes = [
    { jsonmodel_type: 'note_general_context', subnotes: [...lists, text('End.')] },
    { jsonmodel_type: 'note_mandate', subnotes: [citation, text('Of 1900.')] },
    { jsonmodel_type: 'note_structure_or_genealogy', subnotes: [text('Heirs.'), list] },
    { jsonmodel_type: 'note_bioghist', subnotes: life },
  ];
  const again = async (subnotes: readonly JsonObject[], version: 1 | 2): Promise<readonly JsonObject[]> => {
    const names = [{ primary_name: 'Roe', authorized: true, is_display_name: true }];
    const xml = exportAgent(
      { jsonmodel_type: 'agent_person', uri: '/agents/people/1', names, notes: subnotes },
      version,
    );
    expect(exportFaults(version === 2 ? 'EAC-CPF 2.0' : 'EAC-CPF 2010', xml)).toEqual([]);
    return objectsOf((await importAgents(xml)).agents[0], 'notes');
  };

  test.each([1, 2] as const)('come back as they were (%d)', async (version) => {
    const found = await again(notes, version);
    for (const note of notes)
      expect(found.find((each) => each['jsonmodel_type'] === note.jsonmodel_type)).toMatchObject(
        // The text of a note of 2010 is one, but for lists.
        version === 1 && note.jsonmodel_type === 'note_bioghist'
          ? { subnotes: [...life.slice(0, -3), chronology, citation, text('Late years.')] }
          : note,
      );
  });

  test.each([1, 2] as const)('of functions and genders keep their citations (%d)', async (version) => {
    const subnotes = [text('Since 1900.'), citation];
    const [subject] = Object.entries(others).map(([ref, _resolved]) => ({ ref, _resolved }));
    const agent = {
      jsonmodel_type: 'agent_person',
      uri: '/agents/people/1',
      names: [{ primary_name: 'Roe', authorized: true, is_display_name: true }],
      agent_topics: [{ subjects: [subject ?? null], notes: subnotes }],
      agent_occupations: [{ subjects: [subject ?? null], notes: subnotes }],
      agent_genders: [{ gender: 'not_specified', notes: subnotes }],
    };
    const xml = exportAgent(agent, version);
    expect(exportFaults(version === 2 ? 'EAC-CPF 2.0' : 'EAC-CPF 2010', xml)).toEqual([]);
    const [found] = (await importAgents(xml)).agents;
    for (const property of ['agent_topics', 'agent_occupations', 'agent_genders'])
      expect(objectsOf(found, property), property).toMatchObject([{ notes: subnotes }]);
  });

  test('of 2.0 have links and emphasis as notes here mark them', async () => {
    const marked =
      '<p>See <reference href="http://x.example">this</reference> <span style="font-style:italic">now</span>.</p>';
    const { agents } = await importAgents(
      `<eac xmlns="https://archivists.org/ns/eac/v2"><control maintenanceStatus="new"><recordId>r</recordId></control><cpfDescription><identity><entityType value="person"/><nameEntry><part>Roe</part></nameEntry></identity>
      <description><functions><function><term>Poet</term><descriptiveNote>${marked}</descriptiveNote></function></functions></description></cpfDescription></eac>`,
    );
    expect(objectsOf(agents[0], 'agent_functions')).toMatchObject([
      { notes: [{ content: 'See <extref href="http://x.example">this</extref> <emph render="italic">now</emph>.' }] },
    ]);
  });

  test('of 2.0 have titles and events of their own', async () => {
    const titled = [
      { ...list, title: 'Works', enumeration: 'arabic' },
      { ...chronology, title: 'Life', items: [{ event_date: '1900', events: ['Arrived', 'Left'] }] },
    ];
    expect(await again([{ jsonmodel_type: 'note_bioghist', subnotes: titled }], 2)).toMatchObject([
      { subnotes: titled },
    ]);
  });
});
