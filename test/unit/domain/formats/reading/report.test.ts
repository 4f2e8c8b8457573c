// The account of one document.
import { expect, test } from 'vitest';
import { createReportBuilder } from '#domain/formats/reading/report.ts';

test('lists a bounded number of parts, shortens their text, and counts all', () => {
  const builder = createReportBuilder(2);
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
    ],
    droppedTotal: 3,
  });
});
