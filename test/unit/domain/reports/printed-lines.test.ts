import { expect, it } from 'vitest';
import { reportHead, reportRow } from '#domain/reports/printed-lines.ts';

it('stands a row under its first value, with paragraphs of a text below its name', () => {
  const columns = [{ key: 'record_title' }, { key: 'note' }, { key: 'agents', parts: ['name', 'role'] }];
  const row = {
    record_title: null,
    note: 'One\r\n\r\n Two',
    agents: [{ name: 'Ann', role: 'creator' }, { name: 'Bob' }],
  };
  expect(reportRow(row, columns)).toEqual([
    { part: 'component', depth: 0, term: 'Note', text: 'One' },
    { part: 'paragraph', depth: 1, text: ' Two' },
    { part: 'term', depth: 1, term: 'Agents', text: 'Ann, creator' },
    { part: 'term', depth: 1, term: 'Agents', text: 'Bob' },
  ]);
  expect(reportRow({ record_title: '' }, columns)).toEqual([]);
});

it('begins with the title and what the report says of itself', () => {
  expect(reportHead({ title: 'Accessions', info: { scoped_by_date_range: '2020 - ' } })).toEqual([
    { part: 'title', depth: 0, text: 'Accessions' },
    { part: 'term', depth: 1, term: 'Scoped By Date Range', text: '2020 - ' },
  ]);
});
