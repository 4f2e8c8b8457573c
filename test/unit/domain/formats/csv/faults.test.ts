// Faults of sheets: collected up to a limit, and told as one failure.
import { expect, test } from 'vitest';
import { createSheetFaults, sheetFailure } from '#domain/formats/csv/faults.ts';

test('keeps a thousand faults, and says when it is full', () => {
  const faults = createSheetFaults();
  for (let line = 1; line < 1000; line++) faults.add(line, 'a', 'x');
  expect([faults.count, faults.isFull]).toEqual([999, false]);
  faults.add(1000, 'a', 'x');
  faults.add(1001, 'a', 'x');
  expect([faults.count, faults.isFull, faults.list().at(-1)?.line]).toEqual([1000, true, 1000]);
});

test('makes one failure, which names the first and lists all where there are several', () => {
  const [first, second] = [
    { line: 2, column: 'a', message: 'No' },
    { line: 3, column: 'b', message: 'Not either', file: 'x.csv' },
  ];
  expect(sheetFailure([first])).toMatchObject({
    code: 'import_failed',
    error: { line: 2, element: 'a', message: 'No' },
  });
  expect(sheetFailure([first])).not.toHaveProperty('error.faults');
  expect(sheetFailure([first, second], { faults: [], complete: true })).toMatchObject({
    error: { line: 2, faults: [first, second] },
    extra: { report: { complete: true } },
  });
});
