// Who is offered a form: the permissions that the console names are those that the kinds declare.
import { expect, it } from 'vitest';
import { kinds } from '#domain/kinds/index.ts';
import { permissionToEdit } from '../../../apps/console/record/permission-to-edit.ts';

it('names the permission that a save of each kind needs', () => {
  const declared = Object.keys(permissionToEdit).map((name) => [name, kinds.get(name)?.may.update]);
  expect(Object.fromEntries(declared)).toEqual(permissionToEdit);
});
