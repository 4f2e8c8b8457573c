// The names of agents in MARC 21 records: which subfield becomes what.
import { expect, test } from 'vitest';
import { readFormat } from '#test/support/import-reading.ts';
import { marcField, marcRecord } from '#test/support/marc-document.ts';

const title = marcField('245', '1', '0', { a: 'Papers,' });

/** A heading of a body whose units stand one below the other: a subfield for each, all of one code. */
const units = (tag: string, code: string, ...texts: readonly string[]): string =>
  marcField(tag, '2', ' ', { a: 'State of Wallaby.' }).replace(
    '</datafield>',
    `${texts.map((text) => `<subfield code="${code}">${text}</subfield>`).join('')}</datafield>`,
  );

async function nameIn(field: string): Promise<unknown> {
  const { of } = await readFormat('marcxml', marcRecord(title + field));
  return of('agent_corporate_entity')[0]?.['names'];
}

test.each([
  ['110', 'b', {}],
  ['111', 'e', { conference_meeting: true }],
])('the units of a body in %s, of which there may be any number', async (tag, code, more) => {
  const names = async (...texts: readonly string[]): Promise<unknown> => nameIn(units(tag, code, ...texts));
  const name = { primary_name: 'State of Wallaby', ...more };
  const [first, second] = ['subordinate_name_1', 'subordinate_name_2'];
  const alone = await names();
  expect(alone).toMatchObject([name]);
  expect(alone).not.toMatchObject([{ [first]: expect.anything() }]);
  const one = await names('Board of Health.');
  expect(one).toMatchObject([{ ...name, [first]: 'Board of Health' }]);
  for (const given of [alone, one]) expect(given).not.toMatchObject([{ [second]: expect.anything() }]);
  expect(await names('Board of Health.', 'Harbor Office.', 'Quarantine.')).toMatchObject([
    { ...name, [first]: 'Board of Health', [second]: 'Harbor Office. Quarantine' },
  ]);
});

test('a comma that a name of a person begins with parts nothing', async () => {
  const { of } = await readFormat('marcxml', marcRecord(title + marcField('700', '1', ' ', { a: ', Ann' })));
  const [name] = of('agent_person')[0]?.['names'] as readonly object[];
  expect(name).toMatchObject({ primary_name: 'Ann' });
  expect(name).not.toHaveProperty('rest_of_name');
});

test('the stop before a unit is none of its body, however short the word before it', async () => {
  const field = units('710', 'b', 'Army.', 'Corps.', 'Infantry Regiment, 1st.').replace('State of Wallaby', 'U.S');
  expect(await nameIn(field)).toMatchObject([
    { primary_name: 'U.S', subordinate_name_1: 'Army', subordinate_name_2: 'Corps. Infantry Regiment, 1st.' },
  ]);
  expect(await nameIn(units('710', 'b', 'Army.'))).toMatchObject([{ subordinate_name_1: 'Army.' }]);
});

test('a meeting among the other entries has its role in $j, and its units in $e', async () => {
  const { of } = await readFormat(
    'marcxml',
    marcRecord(title + marcField('711', '2', ' ', { a: 'Congress.', e: 'Section.', j: 'sponsor' })),
  );
  expect(of('agent_corporate_entity')).toMatchObject([
    { names: [{ primary_name: 'Congress', subordinate_name_1: 'Section' }] },
  ]);
  expect(of('resource')).toMatchObject([{ linked_agents: [{ relator: expect.stringMatching(/^(spn|sponsor)$/i) }] }]);
});

test.each(['Paris (France))', 'Paris (France)'])(
  'the bracket of a family closes once, beside its own of %s',
  async (c) => {
    const field = (tag: string, more = {}): string =>
      marcField(tag, '3', ' ', { a: 'Berry family (Dynasty :', c, ...more });
    const name = { family_name: 'Berry family', family_type: 'Dynasty' };
    const bib = await readFormat('marcxml', marcRecord(title + field('700')));
    expect(bib.of('agent_family')[0]?.['names']).toMatchObject([{ ...name, qualifier: 'Paris (France)' }]);
    const authority = await readFormat('marcxml_auth_agent', marcRecord(field('100', { c: 'Paris :', g: c })));
    expect(authority.of('agent_family')[0]?.['names']).toMatchObject([
      { ...name, location: 'Paris', qualifier: 'Paris (France)' },
    ]);
  },
);
