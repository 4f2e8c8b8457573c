// The agent of a row, and the cells that mean nothing without it.
import { expect, test } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { readAgent } from '#domain/formats/csv/agent.ts';
import type { CsvRow } from '#domain/formats/csv/rows.ts';
import { reportColumns, reportStrays } from '#domain/formats/csv/stray-cells.ts';
import { createContext } from '#domain/formats/reading/context.ts';
import { testOptions } from '#test/support/ead-document.ts';

const open = () => {
  const records: JsonObject[] = [];
  const context = createContext(
    testOptions,
    (record) => records.push(record),
    () => ({ line: 1, column: 0, element: '' }),
  );
  const told = () => context.report.report().dropped.map(({ element, text }) => `${element}: ${text}`);
  return { context, records, told };
};

const rowOf = (cells: Readonly<Record<string, string>>): CsvRow => ({
  line: 2,
  cell: (column) => cells[column],
  fault: (column, message) => {
    throw new Error(`${column}: ${message}`);
  },
});

test('an agent has its contact, and an extension without a telephone is told', () => {
  const { context, records, told } = open();
  const links = readAgent(
    context,
    rowOf({
      agent_role: 'creator',
      agent_type: 'agent_person',
      agent_name_primary_name: 'Roe',
      agent_contact_city: 'Bern',
      agent_contact_telephone_ext: '12',
    }),
  );
  expect(links).toMatchObject({ linked_agents: [{ role: 'creator' }] });
  expect(records).toMatchObject([{ names: [{ primary_name: 'Roe' }], agent_contacts: [{ city: 'Bern' }] }]);
  expect(told()).toEqual(['agent_contact_telephone_ext: 12']);
});

test('of an agent without a name what is said is told; type, role and lists of a prefilled row are not', () => {
  const { context, records, told } = open();
  const cells = {
    agent_role: 'creator',
    agent_type: 'agent_person',
    agent_name_source: 'local',
    agent_contact_fax: '3',
  };
  expect(readAgent(context, rowOf(cells))).toEqual({});
  expect(records).toEqual([]);
  expect(told()).toEqual(['agent_contact_fax: 3']);
});

test('strays and columns are told with their reasons', () => {
  const { context } = open();
  reportStrays(context, rowOf({ a_b: 'x' }), ['a_b', 'a_c'], 'a_d');
  reportColumns(context, {
    names: ['a_b', 'a_e'],
    asked: new Set(['a_b']),
    unnamed: [{ line: 3, column: 'B', text: 'lost' }],
  });
  expect(context.report.report().dropped.map(({ line, element, reason }) => `${line} ${element}: ${reason}`)).toEqual([
    '2 a_b: the row has no a_d',
    '3 B: a column without a heading; it is ignored',
    '1 a_e: no column of this import; it is ignored',
  ]);
});
