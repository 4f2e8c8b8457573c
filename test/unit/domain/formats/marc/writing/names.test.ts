import { expect, it } from 'vitest';
import { agentFields } from '#domain/formats/marc/writing/names.ts';
import { marcXml } from '#domain/formats/marc/writing/fields.ts';
import { makeExportContext, marcLines, personLink } from '#test/support/make/export-context.ts';
import type { JsonObject } from '#domain/json.ts';

const lines = (...linked_agents: readonly JsonObject[]) =>
  marcLines(marcXml({ leader: '', control: [], fields: agentFields({ linked_agents }, makeExportContext()) }));
const corporate = {
  jsonmodel_type: 'agent_corporate_entity',
  display_name: { primary_name: 'Acme', subordinate_name_1: 'Sub', number: '5', source: 'mesh', authority_id: 'c1' },
};

it('punctuates persons and names the role', () => {
  expect(
    lines(
      personLink({
        number: 'II',
        prefix: 'Dr',
        suffix: 'Jr',
        dates: '1900-',
        qualifier: 'q',
        fuller_form: 'Annabel',
        authority_id: 'n1',
      }),
    ),
  ).toEqual(['100 1_ $a Muster, Anna $b II, $c Dr, Jr, $d 1900-, $e creator $g (q) $q (Annabel) $0 n1']);
  expect(lines(personLink({ name_order: 'direct' }, { relator: 'aut' }))).toEqual([
    '100 0_ $a Muster Anna, $e AUT. $4 aut',
  ]);
});

it('makes the primary creator the main entry, and others and sources added entries', () => {
  expect(
    lines(
      personLink({ primary_name: 'First' }),
      personLink({ primary_name: 'Main' }, { is_primary: true }),
      personLink({}, { role: 'source' }, corporate),
    ),
  ).toEqual([
    '100 1_ $a Main, Anna, $e creator.',
    '700 1_ $a First, Anna, $e creator.',
    '710 2_ $a Acme. $b Sub, $e former owner, $n (5) $0 c1',
  ]);
});

it('writes agents as subjects with their subdivisions', () => {
  const terms = [
    { term: 'History', term_type: 'topical' },
    { term: 'Pens', term_type: 'technique' },
  ];
  expect(
    lines(
      personLink({}, { role: 'subject', terms }, corporate),
      personLink({ authority_id: 'n1' }, { role: 'subject' }),
    ),
  ).toEqual(['600 14 $a Muster, Anna. $0 n1', '610 22 $a Acme. $b Sub, $n (5) $x History $x Pens.']);
});

it('writes software, which the reference fails on', () => {
  const software = { jsonmodel_type: 'agent_software', display_name: { software_name: 'Tool' } };
  expect(lines(personLink({}, {}, software), personLink({}, { role: 'subject' }, software))).toEqual([
    '653 __ $a Tool',
    '720 __ $a Tool, $e creator.',
  ]);
});

it('prefers the identifier of the record', () =>
  expect(
    lines(personLink({ authority_id: 'n1' }, {}, { agent_record_identifiers: [{ record_identifier: 'r1' }] }))[0],
  ).toContain('$0 r1'));

it('has families in their own indicator, with dates and qualifier', () => {
  const family = {
    jsonmodel_type: 'agent_family',
    display_name: { family_name: 'Muster', dates: '1800-', qualifier: 'q' },
  };
  expect(lines(personLink({}, {}, family))).toEqual(['100 3_ $a Muster, $d 1800-, $c q, $e creator.']);
});
