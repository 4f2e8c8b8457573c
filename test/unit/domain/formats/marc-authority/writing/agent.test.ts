import { expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { agentMarc } from '#domain/formats/marc-authority/writing/agent.ts';
import { fixedData, latestTransaction, leaderOf, statuses } from '#domain/formats/marc-authority/writing/codes.ts';
import { placeCodes } from '#domain/formats/marc-authority/writing/facts.ts';
import { makeExportContext, marcLines, subjectRef } from '#test/support/make/export-context.ts';

const control = (record: Record<string, string>) => ({ agent_record_controls: [record] });

it('tells the status in the leader', () => {
  expect(
    Object.keys(statuses)
      .map((maintenance_status) => leaderOf(control({ maintenance_status }))[5])
      .join(''),
  ).toBe('nacndosxx');
  expect([leaderOf({}), leaderOf(control({ level_of_detail: 'fully_established' }))]).toEqual([
    '00000nz  a2200000oi 4500',
    '00000nz  a2200000ni 4500',
  ]);
});

it('writes forty characters of codes', () => {
  expect(fixedData({})).toBe('000000n||aznnnaabn          || a||    ||');
  const all = {
    romanization: 'nat_std',
    language: 'fre',
    government_agency_type: 'fed',
    reference_evaluation: 'tr_consistent',
    name_type: 'undifferentiated',
    level_of_detail: 'memorandum',
    modified_record: 'shortened',
    cataloging_source: 'ccp',
  };
  expect(fixedData(control(all))).toBe('000000nbfaznnnaabn          fa abb    sc');
});

it('dates the record by its latest event', () =>
  expect(
    latestTransaction({
      agent_maintenance_histories: [{ event_date: '2020-01-02' }, { event_date: '2021-02-03T04:05:06Z' }],
    }),
  ).toBe('20210203040506.0'));

it('writes places by role', () => {
  const agent_places = Object.keys(placeCodes).map((place_role) => ({
    place_role,
    publish: true,
    subjects: [subjectRef({ title: place_role })],
  }));
  expect(marcLines(agentMarc({ jsonmodel_type: 'agent_person', agent_places }, makeExportContext()))).toEqual([
    '370 __ $a place_of_birth',
    '370 __ $b place_of_death',
    '370 __ $c assoc_country',
    '370 __ $e residence',
    '370 __ $f other_assoc',
  ]);
});

it('writes families with their kind, and relations of time', () => {
  const names = [{ family_name: 'Berry', family_type: 'Dynasty', dates: '1900-', location: 'Paris', authorized: true }];
  const related = { publish: true, jsonmodel_type: 'agent_corporate_entity', display_name: { primary_name: 'Old' } };
  expect(
    marcLines(
      agentMarc(
        {
          jsonmodel_type: 'agent_family',
          names,
          related_agents: [
            { relator: 'is_later_form_of', _resolved: related },
            { relator: 'is_associative_with', _resolved: { ...related, publish: false } },
          ],
        },
        makeExportContext(),
      ),
    ),
  ).toEqual(['100 3_ $a Berry (Dynasty : $d 1900- : $c Paris)', '510 2_ $w a $i IS_LATER_FORM_OF $a Old']);
});

it('writes persons in the order of their names, and relations of rank by the word that the specific relator is', () => {
  const person = (name: object) => ({ jsonmodel_type: 'agent_person', names: [{ authorized: true, ...name }] });
  const parts = { primary_name: 'Leo', rest_of_name: 'Africanus' };
  const lines = (agent: JsonObject) => marcLines(agentMarc(agent, makeExportContext()));
  expect(lines(person({ ...parts, name_order: 'direct' }))).toEqual(['100 0_ $a Leo Africanus']);
  expect(lines(person({ primary_name: 'Roe', prefix: 'van', title: 'Dr.', suffix: 'Jr.', number: 'II' }))).toEqual([
    '100 1_ $a Roe $b II $c Dr.',
  ]);
  const specific = Object.entries({
    Acronym: 'd',
    'Musical composition': 'f',
    'Broader term': 'g',
    'Narrower term': 'h',
    Other: 'r',
  });
  const display_name = { primary_name: 'Old' };
  const related_agents = specific.map(([specific_relator]) => ({
    relator: 'is_associative_with',
    specific_relator,
    _resolved: { publish: true, jsonmodel_type: 'agent_corporate_entity', display_name },
  }));
  expect(lines({ ...person({ ...parts, name_order: 'inverted' }), related_agents })).toEqual([
    '100 1_ $a Leo, Africanus',
    ...specific.map(([relator, code]) => `510 2_ $w ${code} $i ${relator.toUpperCase()} $a Old`),
  ]);
});

it('writes the identifiers', () => {
  const identifiers = [
    ['loc', 'n1'],
    ['loc', 'n2'],
    ['lac', 'l1'],
    ['local', 'x1'],
    ['other_unmapped', 'o1'],
    ['local', 'x2', 'local'],
    [undefined, '(X)3', 'local'],
    ['other_unmapped', 'o2', 'local'],
    ['loc', '(DLC)n3', 'local'],
  ].map(([identifier_type, record_identifier, source = 'naf']) => ({ identifier_type, record_identifier, source }));
  const xml = agentMarc(
    { jsonmodel_type: 'agent_person', uri: '/agents/people/1', agent_record_identifiers: identifiers },
    makeExportContext(),
  );
  expect(marcLines(xml)).toEqual([
    '010 __ $a n1',
    '016 7_ $a l1 $2 naf',
    '024 7_ $a x1 $2 naf',
    '024 7_ $a o1 $2 naf',
    '024 7_ $a o2 $2 local',
    '035 __ $a x2',
    '035 __ $a (X)3',
    '035 __ $a (DLC)n3',
  ]);
  // The first one is in 001: with a type it stands in its field all the same.
  const first = (identifier: JsonObject): readonly string[] =>
    marcLines(
      agentMarc({ jsonmodel_type: 'agent_person', agent_record_identifiers: [identifier] }, makeExportContext()),
    );
  expect(first({ identifier_type: 'local', record_identifier: 'x1', source: 'local' })).toEqual(['035 __ $a x1']);
  expect(first({ record_identifier: 'x1', source: 'local' })).toEqual([]);
  expect(agentMarc({ uri: '/agents/people/1' }, makeExportContext())).toContain(
    '<controlfield tag="001">http://public.example/agents/people/1</controlfield>',
  );
});
