// Who is offered the form of a record: whoever has the permission that a save of its kind needs. The service judges by itself all the same.
import { may } from '../session.ts';
import { permissionToEdit } from './permission-to-edit.ts';

/** Whether the user may save records of a kind where the one of this uri is. */
export function mayEdit(kind: string, uri: string): boolean {
  const code = permissionToEdit[kind];
  return code !== undefined && may(code, /^\/repositories\/\d+/.exec(uri)?.[0] ?? null);
}

/** Whether a save is sure to be refused: of kinds that are not named the service judges alone. */
export const isRefused = (kind: string, uri: string): boolean =>
  permissionToEdit[kind] !== undefined && !mayEdit(kind, uri);
