// The list of bad records: one fault a record, in the order of the file, never longer or larger than its limit.
import { describe, expect, test } from 'vitest';
import { importFailure } from '#domain/batch-import/block.ts';
import { createFaultList } from '#domain/batch-import/faults.ts';
import { fail } from '#domain/errors.ts';

const failure = (number: number, property = 'title', says = 'is missing') =>
  importFailure(
    { record: { title: `T${number}`, uri: `/u/${number}`, jsonmodel_type: 'resource' }, number },
    { [property]: [says] },
  );

describe('a list of faults', () => {
  test('names each bad record once, with all its properties, in the order of the file', () => {
    const list = createFaultList(10);
    list.add(failure(7), 7);
    list.add(failure(2), 2);
    list.add(failure(7, 'level', 'is wrong'), 7);
    expect(list.report()).toEqual({
      complete: true,
      faults: [
        {
          record_number: 3,
          record_type: 'resource',
          record_uri: '/u/2',
          record_title: 'T2',
          errors: { title: ['is missing'] },
        },
        {
          record_number: 8,
          record_type: 'resource',
          record_uri: '/u/7',
          record_title: 'T7',
          errors: { level: ['is wrong'], title: ['is missing'] },
        },
      ],
    });
  });

  test('tells of a record that is no JSON by its number and the words of the parser', () => {
    const list = createFaultList(10);
    list.add(fail('malformed_body', 'no JSON'), 4);
    expect(list.report().faults).toEqual([
      { record_number: 5, record_type: null, record_uri: null, record_title: null, errors: { record: ['no JSON'] } },
    ]);
  });

  test('is full at its limit of records, and says that there may be more', () => {
    const list = createFaultList(2);
    for (const number of [0, 1, 2, 3]) list.add(failure(number), number);
    expect(list.isFull).toBe(true);
    expect(list.report()).toMatchObject({ complete: false, faults: [{ record_number: 1 }, { record_number: 2 }] });
  });

  test('is full at a size, but tells of the first record whatever that takes', () => {
    const list = createFaultList(3);
    list.add(failure(0, 'title', 'x'.repeat(10_000)), 0);
    list.add(failure(1), 1);
    expect(list.report()).toMatchObject({ complete: false, faults: [{ record_number: 1 }] });
  });

  test('takes what another has gathered, its limit included', () => {
    const [one, all] = [createFaultList(1), createFaultList(10)];
    one.add(failure(3), 3);
    all.addAll(one.report());
    expect(all.report()).toMatchObject({ complete: false, faults: [{ record_number: 4 }] });
  });
});
