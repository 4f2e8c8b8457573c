import { may } from '../session.js';
import { permissionToEdit } from './permission-to-edit.js';
export function mayEdit(kind, uri) {
    const code = permissionToEdit[kind];
    return code !== undefined && may(code, /^\/repositories\/\d+/.exec(uri)?.[0] ?? null);
}
export const isRefused = (kind, uri) => permissionToEdit[kind] !== undefined && !mayEdit(kind, uri);
