// How a failure reads in the log of a job.
import { expect, test } from 'vitest';
import { failureWords } from '../../../../apps/worker/running/failure-words.ts';

test('a text stays as it is', () => {
  expect(failureWords('Resource not found')).toEqual(['Resource not found']);
});

test('properties stand on lines of their own, with all that is wrong with each', () => {
  expect(failureWords({ title: ['is too long', 'is odd'], dates: 'none' })).toEqual([
    '\ttitle : is too long; is odd',
    '\tdates : none',
  ]);
});

test('a record stands before its properties, with what is known of it', () => {
  const errors = { id_0: ['That ID is already in use'] };
  const wrong = '\tid_0 : That ID is already in use';
  expect(failureWords({ record_type: 'resource', record_title: 'Papers', record_uri: null, errors })).toEqual([
    'Problem with resource Papers',
    wrong,
  ]);
  expect(failureWords({ errors })).toEqual([wrong]);
});

test('a fault of a file tells its place, which has a column or none', () => {
  expect(failureWords({ message: 'not well-formed', line: 3, column: 5, element: 'ead' })).toEqual([
    'not well-formed (line 3, column 5)',
  ]);
  expect(failureWords({ message: 'Not a date', line: 2, column: 0 })).toEqual(['Not a date (line 2)']);
  expect(failureWords({ message: 'The sheet is empty' })).toEqual(['The sheet is empty']);
});
