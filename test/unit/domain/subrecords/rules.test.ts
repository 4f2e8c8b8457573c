// Rules of sub-records in the cases that the recorded answers of the contract (test/contract/validation-messages.test.ts) leave out.
// Contract: behaviour-records.md, sections 1.6 and 6.6.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import type { Schema } from '#domain/schema/property.ts';
import { ArchivalDate } from '#domain/subrecords/date.ts';
import { SubContainer } from '#domain/subrecords/instance.ts';
import { NoteMultipart } from '#domain/subrecords/notes/multipart.ts';
import { StructuredDateRange, StructuredDateSingle } from '#domain/subrecords/structured-date.ts';
import { UserDefined } from '#domain/subrecords/user-defined.ts';

function reported(schema: Schema, object: JsonObject): JsonObject {
  const found: { [path: string]: string } = {};
  for (const rule of schema.rules ?? [])
    rule(
      object,
      (path, message) => (found[path] = message),
      () => undefined,
    );
  return found;
}

describe('date', () => {
  it('accepts years before the common era, and an end that is a beginning of begin', () => {
    expect(reported(ArchivalDate, { begin: '-0100', end: '-0099-05' })).toEqual({});
    expect(reported(ArchivalDate, { begin: '1900-05-03', end: '1900' })).toEqual({});
    expect(reported(ArchivalDate, { begin: '1900', end: '1900-02-30' })).toEqual({ end: 'not a valid date' });
  });
});

describe('structured dates', () => {
  it('accepts MM-YYYY and refuses other forms', () => {
    expect(reported(StructuredDateSingle, { date_standardized: '05-1900' })).toEqual({});
    expect(reported(StructuredDateSingle, { date_standardized: '1900-5' })).toHaveProperty('date_standardized');
  });

  it('orders a range, and names dates that are not in the calendar', () => {
    expect(
      reported(StructuredDateRange, { begin_date_standardized: '05-1900', end_date_standardized: '1900-06' }),
    ).toEqual({});
    expect(
      reported(StructuredDateRange, { begin_date_standardized: '1900-02-30', end_date_standardized: '1901' }),
    ).toEqual({ begin_date_standardized: 'Error attempting to parsing dates' });
    // Each is told of by its own name, with and without the other.
    for (const property of ['begin_date_standardized', 'end_date_standardized'])
      expect(
        Object.keys(
          reported(StructuredDateRange, {
            begin_date_standardized: '1900',
            end_date_standardized: '1901',
            [property]: '1900-5',
          }),
        ),
      ).toEqual([property]);
    expect(reported(StructuredDateRange, { end_date_expression: 'later' })).toEqual({
      begin_date_expression: 'is required',
      end_date_expression: 'requires begin date expression to be defined',
    });
  });
});

describe('sub_container', () => {
  it('wants type and indicator of level 3 together', () => {
    expect(reported(SubContainer, { type_2: 'folder', indicator_2: '1', indicator_3: '2' })).toEqual({
      type_3: 'container 3 requires both a type and indicator',
    });
  });
});

describe('user_defined', () => {
  it('checks each number field', () => {
    expect(reported(UserDefined, { integer_2: '1.5', real_3: 'x', string_1: 'x' })).toEqual({
      integer_2: 'must be an integer',
      real_3: 'must be a number with no more than nine digits and five decimal places',
    });
  });
});

describe('note_multipart', () => {
  it('refuses a restriction on a day that is not in the calendar', () => {
    expect(reported(NoteMultipart, { subnotes: [{}], rights_restriction: { end: '2001-02-29' } })).toEqual({
      rights_restriction__end: 'must be in YYYY-MM-DD format',
    });
  });
});

describe('sub-container', () => {
  it('has a third level below a second, each with type and indicator', () => {
    const second = 'container 2 is required if container 3 is provided';
    const third = 'container 3 requires both a type and indicator';
    expect(reported(SubContainer, { type_3: 'item', indicator_3: '1' })).toEqual({ type_2: second });
    expect(reported(SubContainer, { type_3: 'item' })).toEqual({ type_2: second, type_3: third });
    expect(reported(SubContainer, { indicator_3: '1' })).toEqual({ type_2: second, type_3: third });
    expect(reported(SubContainer, { type_2: 'folder', indicator_2: '1', type_3: 'item', indicator_3: '1' })).toEqual(
      {},
    );
  });
});
