// Events of AtoM's descriptions by their types, in newer sheets and in those that have creators and dates of creation alone.
import { test } from 'vitest';
import { readFormat } from '#test/support/import-reading.ts';
import { expectKept, keptText } from '#test/support/kept.ts';

const read = async (columns: string, cells: string): Promise<unknown> => {
  const { records, report } = await readFormat(
    'atom_description_csv',
    `legacyId,identifier,title,levelOfDescription,${columns}\n1,A/1,Papers,Fonds,${cells}\n`,
  );
  const described = records.find((record) => record.jsonmodel_type === 'resource') ?? {};
  const { dates, linked_agents: agents } = described as { readonly [part: string]: unknown };
  const people = records.filter((record) => record.jsonmodel_type.startsWith('agent_'));
  return { dates, agents, people: people.map(({ names, notes }) => ({ names, notes })), said: report.dropped };
};

test('each type becomes the dates and links that are kept', async () => {
  const outcomes: { [type: string]: unknown } = {};
  const types =
    'Creation accumulation Collection custody contribution publication broadcasting manufacturing distribution reproduction Sailing NULL';
  for (const type of types.split(' '))
    outcomes[type] = await read(
      'eventTypes,eventActors,eventDates,eventStartDates,eventEndDates,eventActorHistories',
      `${type},Ann Lowe,about 1900,1899,1901,Born in Dover`,
    );
  const older = await read(
    'creators,creatorDates,creatorDatesStart,creatorDatesEnd,creatorHistories',
    'Ann Lowe|Bo Roe,about 1900|,1899|1902,1901|,Born in Dover|',
  );
  const oldest = await read('creationDates,creationDatesStart,creationDatesEnd', '1900,1900,1900');
  const both = await read('eventDates,creationDates,eventActors,creators', '1900,1901,Ann,Bo');
  await expectKept(keptText({ ...outcomes, older, oldest, both }, 3), 'formats/atom-csv/read/events.json');
});
