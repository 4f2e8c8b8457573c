// Who is offered the form of a record: whoever has the permission that a save of its kind needs. The service judges by itself all the same.
import { may, mayAnywhere } from '../session.ts';
import { permissionToEdit } from './permission-to-edit.ts';

/** Whether the user may save records of a kind where the one of this uri is. What belongs to no repository, such as agents, is saved by whoever may in any. */
export function mayEdit(kind: string, uri: string): boolean {
  const code = permissionToEdit[kind];
  const repository = /^\/repositories\/\d+(?=\/)/.exec(uri)?.[0];
  return code !== undefined && (repository === undefined ? mayAnywhere(code) : may(code, repository));
}

/** Whether a save is sure to be refused, and the history with it, which those see who may save: of kinds that are not named the service judges alone. */
export const isRefused = (kind: string, uri: string): boolean =>
  permissionToEdit[kind] !== undefined && !mayEdit(kind, uri);
