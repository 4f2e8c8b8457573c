// Field choices of a detailed agent merge (contract trees-and-jobs 4.5).
import { describe, expect, it } from 'vitest';
import { combine } from '#domain/merges/selections.ts';

const survivor = {
  names: [{ primary_name: 'Able', authorized: true, is_display_name: true }],
  agent_record_identifiers: [{ record_identifier: '1', primary_identifier: true }],
  notes: [{ content: 'own' }],
};
const candidate = {
  names: [
    { primary_name: 'Baker', authorized: true, is_display_name: true },
    { primary_name: 'Cole', authorized: false, is_display_name: false },
  ],
  agent_record_identifiers: [{ record_identifier: '2', primary_identifier: true }],
  notes: [{ content: 'first' }, { content: 'second' }],
};

describe('combine', () => {
  it('copies a field of the sub-record at the position', () => {
    expect(combine(survivor, candidate, { names: [{ primary_name: 'REPLACE', position: '1' }] })).toEqual({
      record: { ...survivor, names: [{ primary_name: 'Cole', authorized: true, is_display_name: true }] },
      selections: { 'names.0.primary_name.1': 'REPLACE' },
      count: 1,
    });
  });

  it('appends and replaces whole sub-records first; flags that one may have stay where they are', () => {
    const { record } = combine(survivor, candidate, {
      names: [
        { primary_name: 'REPLACE', replace: 'REPLACE', position: 0 },
        { append: 'REPLACE', position: 9 },
      ],
      agent_record_identifiers: [{ append: 'REPLACE', position: 0 }],
    });
    expect(record['names']).toEqual([
      { primary_name: 'Baker', authorized: true, is_display_name: true },
      { primary_name: 'Cole', authorized: false, is_display_name: false },
    ]);
    expect(record['agent_record_identifiers']).toEqual([
      { record_identifier: '1', primary_identifier: true },
      { record_identifier: '2', primary_identifier: false },
    ]);
  });

  it('appends notes in both ways, and takes the note by its index', () => {
    expect(combine(survivor, candidate, { notes: [{}, { replace: 'REPLACE', position: 0 }] }).record['notes']).toEqual([
      { content: 'own' },
      { content: 'second' },
    ]);
  });

  it('passes over any other value, and leaves relations to the merge', () => {
    expect(
      combine(survivor, candidate, {
        names: [{ append: 'APPEND', position: 0 }],
        related_agents: [{ append: 'REPLACE', position: 0 }],
      }).record,
    ).toEqual(survivor);
  });

  it.each([
    [{ names: [{}, { primary_name: 'REPLACE' }] }],
    [{ nothing: [{ append: 'REPLACE' }] }],
    [{ notes: [{}, {}, { append: 'REPLACE' }] }],
  ])('refuses what is not there: %j', (selections) => {
    expect(() => combine(survivor, candidate, selections)).toThrow('nothing is there');
  });
});
