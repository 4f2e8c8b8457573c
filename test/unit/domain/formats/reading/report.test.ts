// The account of one document.
import { expect, test } from 'vitest';
import { createReportBuilder } from '#domain/formats/reading/report.ts';

test('lists a bounded number of parts, shortens their text, and counts all', () => {
  const builder = createReportBuilder(20);
  const node = { name: 'p', attributes: [], children: ['x'.repeat(500)], line: 7 };
  builder.drop(node, 'why');
  builder.drop({ ...node, children: [' '] }, 'blank');
  builder.dropText(8, 'did', '  stray ', 'text');
  builder.drop({ ...node, children: [] }, 'attributes only', true);
  expect(builder.report()).toEqual({
    records: {},
    dropped: [
      { line: 7, element: 'p', reason: 'why', text: 'x'.repeat(200) },
      { line: 8, element: 'did', reason: 'text', text: 'stray' },
      { line: 7, element: 'p', reason: 'attributes only', text: '' },
    ],
    droppedTotal: 3,
    droppedSorts: [
      { element: 'p', reason: 'why', count: 1 },
      { element: 'did', reason: 'text', count: 1 },
      { element: 'p', reason: 'attributes only', count: 1 },
    ],
  });
});

test('what a file says in each of its records leaves room for what it says in one', () => {
  const builder = createReportBuilder(50);
  for (let record = 0; record < 100; record += 1)
    builder.dropText(record, 'controlfield 001', String(record), 'a number');
  for (let kind = 0; kind < 100; kind += 1) builder.dropText(200, `datafield ${kind}`, 'text', 'not imported');
  const { dropped, droppedTotal, droppedSorts } = builder.report();
  expect(dropped.filter(({ element }) => element === 'controlfield 001').map(({ text }) => text)).toEqual([
    '0',
    '1',
    '2',
    '3',
    '4',
  ]);
  expect([dropped.length, droppedTotal, droppedSorts.length, droppedSorts[0]?.count]).toEqual([50, 200, 101, 100]);
});

test('of very many sorts of parts it keeps a thousand apart, and counts all', () => {
  const builder = createReportBuilder(5000);
  for (let kind = 0; kind < 1100; kind += 1) builder.dropText(kind, `datafield ${kind}`, 'text', 'not imported');
  for (const kind of [0, 999, 1000]) builder.dropText(9, `datafield ${kind}`, 'text', 'not imported');
  const { droppedTotal, droppedSorts } = builder.report();
  expect([droppedTotal, droppedSorts.length]).toEqual([1103, 1000]);
  expect(droppedSorts.filter(({ count }) => count > 1)).toEqual(
    [0, 999].map((kind) => ({ element: `datafield ${kind}`, reason: 'not imported', count: 2 })),
  );
});
