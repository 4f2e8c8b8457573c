// What the parts of names are called, by the standard, by other systems and in other languages, and where each goes in a name of each kind.
import { test } from 'vitest';
import { readFormat } from '#test/support/import-reading.ts';
import { expectKept, keptText } from '#test/support/kept.ts';

const called =
  'surname forename numeration prefix suffix title fuller_form fullerform qualifier dates primary_name subordinate_name_1 subordinate_name_2 location family_type ' +
  'familyName lastName nom givenName firstName Prénom prenom $b $c $d $q 100$a 600$b 700$c 110$d x00q nobody-knows';

const partsOf = async (type: string, parts: string): Promise<unknown> => {
  const { records } = await readFormat(
    'eac_xml',
    `<eac-cpf xmlns="urn:isbn:1-931666-33-4"><control/><cpfDescription><identity><entityType>${type}</entityType><nameEntry>${parts}</nameEntry></identity></cpfDescription></eac-cpf>`,
  );
  return records[0]?.['names'];
};

test('each part goes where it is kept to go', async () => {
  const outcomes: { [name: string]: unknown } = {};
  for (const type of ['person', 'corporateBody', 'family']) {
    for (const name of called.split(' ')) {
      outcomes[`${type} ${name}`] = await partsOf(type, `<part>One</part><part localType="${name}">Two</part>`);
    }
    const all = called.split(' ').map((name) => `<part localType="${name}">${name}</part>`);
    outcomes[`${type} of all`] = await partsOf(type, all.join(''));
    outcomes[`${type} without a main part`] = await partsOf(type, '<part localType="dates">1868-</part>');
  }
  await expectKept(keptText(outcomes, 2), 'formats/eac/read/names.json');
});
