// What the audit log tells of a change to a group.
import { describe, expect, it } from 'vitest';
import { groupChanges } from '../../../../apps/api/access/group-changes.ts';

const before = { code: 'g', grants: ['a', 'b'], members: ['ann'] };

describe('groupChanges', () => {
  it('names what is new and what is gone, and nothing that stayed', () => {
    expect(groupChanges(before, { code: 'g', grants: ['b', 'c'], members: ['ann', 'ben'] })).toEqual({
      group_code: 'g',
      granted: ['c'],
      revoked: ['a'],
      joined: ['ben'],
    });
    expect(groupChanges(before, before)).toEqual({ group_code: 'g' });
  });

  it('keeps the code of a group that is gone', () => {
    expect(groupChanges(before, { code: '', grants: [], members: [] })).toEqual({
      group_code: 'g',
      revoked: ['a', 'b'],
      left: ['ann'],
    });
  });
});
