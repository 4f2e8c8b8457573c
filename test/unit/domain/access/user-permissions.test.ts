// The permissions of a user record (contract 2.4).
import { describe, expect, it } from 'vitest';
import { derivedCodes, permissionsOf } from '#domain/access/user-permissions.ts';

const form = { release: 'R-B', globalKey: '_service' } as const;

describe('permissionsOf', () => {
  it('shows a user without grants the global key alone', () => {
    expect(permissionsOf(new Map(), form)).toEqual({ _service: ['edit_user_self'] });
    expect(permissionsOf(new Map(), { ...form, release: 'R-A' })).toEqual({ _service: [] });
  });

  it('puts derived codes before those of each repository, and after the global ones', () => {
    const grants = new Map([
      [2, new Set(['manage_subject_record'])],
      [3, new Set(['view_repository'])],
    ]);
    expect(permissionsOf(grants, form)).toEqual({
      '/repositories/2': ['delete_subject_record', 'update_subject_record', 'manage_subject_record'],
      '/repositories/3': ['delete_subject_record', 'update_subject_record', 'view_repository'],
      _service: ['edit_user_self', 'delete_subject_record', 'update_subject_record'],
    });
  });

  it('shows repositories in the order of their numbers', () => {
    const codes = new Set(['view_repository']);
    const shown = permissionsOf(
      new Map([
        [12, codes],
        [3, codes],
        [20, codes],
      ]),
      form,
    );
    expect(Object.keys(shown)).toEqual(['/repositories/3', '/repositories/12', '/repositories/20', '_service']);
  });

  it('shows the global repository under its uri too', () => {
    expect(permissionsOf(new Map([[1, new Set(['manage_users'])]]), { ...form, globalKey: '_x' })).toEqual({
      '/repositories/1': ['manage_users'],
      _x: ['manage_users', 'edit_user_self'],
    });
  });
});

describe('derivedCodes', () => {
  it('follow from a code held in any repository', () => {
    expect(derivedCodes(new Map([[7, new Set(['manage_repository', 'view_repository'])]]))).toEqual([
      'update_location_record',
    ]);
  });
});
