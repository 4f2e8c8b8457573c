// Words of EAC-CPF that are lists: the status of a record, of its publication, and what relations are, each with what becomes of it.
import { test } from 'vitest';
import { objectsOf } from '#domain/json.ts';
import { readFormat } from '#test/support/import-reading.ts';
import { expectKept, keptText } from '#test/support/kept.ts';

const read = async (control: string, relations: string, type = 'person') => {
  const identity = `<identity><entityType>${type}</entityType><nameEntry><part>Brant</part></nameEntry></identity>`;
  const text = `<eac-cpf xmlns="urn:isbn:1-931666-33-4"><control>${control}</control><cpfDescription>${identity}<relations>${relations}</relations></cpfDescription></eac-cpf>`;
  const { records } = await readFormat('eac_xml', text);
  return records.at(-1) ?? {};
};

test('each word becomes what is kept', async () => {
  const statuses =
    'cancelled deleted deletedReplaced deletedSplit deletedMerged derived new revised cancelledobsolete inProcess approved published unknown';
  const outcomes: { [word: string]: unknown } = {};
  for (const word of statuses.split(' ')) {
    const control = ['maintenanceStatus', 'publicationStatus'].map((name) => `<${name}>${word}</${name}>`).join('');
    outcomes[word] = objectsOf(await read(control, ''), 'agent_record_controls')[0];
  }
  const relations =
    'identity hierarchical hierarchical-parent hierarchical-child temporal temporal-earlier temporal-later family family-parent family-child associative other';
  for (const type of ['person', 'corporateBody', 'family'])
    for (const word of ['', ...relations.split(' ')]) {
      const attribute = word === '' ? '' : ` cpfRelationType="${word}"`;
      const relation = (role: string): string =>
        `<cpfRelation${attribute}${role}><relationEntry>Lowe, Ann</relationEntry></cpfRelation>`;
      const related = await read('', relation('') + relation(' role="https://a.example/corporateBody"'), type);
      outcomes[`${type} ${word}`] = objectsOf(related, 'related_agents').map(({ jsonmodel_type, relator, ref }) => [
        ...[jsonmodel_type, relator, ref],
      ]);
    }
  await expectKept(keptText(outcomes, 2), 'formats/eac/read/coded.json');
});
