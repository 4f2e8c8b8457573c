import { may, mayAnywhere } from '../session.js';
import { permissionToEdit } from './permission-to-edit.js';
export function mayEdit(kind, uri) {
    const code = permissionToEdit[kind];
    const repository = /^\/repositories\/\d+(?=\/)/.exec(uri)?.[0];
    return code !== undefined && (repository === undefined ? mayAnywhere(code) : may(code, repository));
}
export const isRefused = (kind, uri) => permissionToEdit[kind] !== undefined && !mayEdit(kind, uri);
