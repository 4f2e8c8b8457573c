// The coded positions of authority records: what each letter means in the leader and in field 008, and where the number of a record comes from.
import { test } from 'vitest';
import { objectsOf } from '#domain/json.ts';
import { readFormat } from '#test/support/import-reading.ts';
import { expectKept, keptText } from '#test/support/kept.ts';
import { marcField as field, marcRecord } from '#test/support/marc-document.ts';

const heading = field('100', '1', ' ', { a: 'Brant, Sara' });
const read = async (fields: string, more: Parameters<typeof marcRecord>[1] = {}) =>
  (
    await readFormat(
      'marcxml_auth_agent',
      marcRecord(fields + heading, { leader: '00000nz  a2200000n  4500', ...more }),
    )
  ).records[0] ?? {};

test('positions mean what is kept', async () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz#|'];
  const outcomes: { [place: string]: unknown } = {};
  const controlOf = async (more: Parameters<typeof marcRecord>[1]): Promise<object> => {
    const [control = {}] = objectsOf(await read('', more), 'agent_record_controls');
    return Object.fromEntries(Object.entries(control).filter(([name]) => name !== 'jsonmodel_type'));
  };
  const ofLeader: { [letter: string]: object } = {};
  for (const letter of letters) ofLeader[letter] = await controlOf({ leader: `00000${letter}z  a2200000n  4500` });
  outcomes['leader'] = ofLeader;
  for (const at of [7, 8, 9, 28, 29, 31, 32, 33, 38, 39]) {
    const meant: { [letter: string]: object } = {};
    for (const letter of letters) {
      const { maintenance_status: _, ...told } = (await controlOf({
        fixed: `${' '.repeat(at)}${letter}${' '.repeat(39 - at)}`,
      })) as { readonly maintenance_status?: string };
      if (Object.keys(told).length > 0) meant[letter] = told;
    }
    outcomes[`position ${at}`] = meant;
  }
  await expectKept(keptText(outcomes, 2), 'formats/marc/read/positions.json');
});

test('numbers, agencies, rules and dates of change come from where they are kept to', async () => {
  const numbers = (['010', '016', '024', '035'] as const)
    .flatMap((tag) =>
      [' ', '7'].map((indicator) => field(tag, indicator, ' ', { a: `of ${tag}${indicator}`, 2: 'viaf' })),
    )
    .join('');
  const record = await read(
    numbers +
      field('035', ' ', ' ', { a: '(DLC)n 79', z: 'old' }) +
      field('024', '8', ' ', { z: 'without a' }) +
      field('040', ' ', ' ', { a: 'DLC', b: 'fre', c: 'NhD', d: 'MiU', e: 'rda' }) +
      field('040', ' ', ' ', { a: 'second' }),
    { number: 'n 1', fixed: '868013' },
  );
  const bare = await read('', { number: 'n 2' });
  await expectKept(keptText([record, bare], 2), 'formats/marc/read/numbers.json');
});
