// Names of exported files (contract behaviour-exports 1, metadata endpoints).
import type { JsonObject } from '../../json.ts';
import { textOf } from '../../json.ts';
import { displayName } from './context.ts';

/** `BASE_20260102_030405_UTC__SUFFIX`: blanks become underscores, what is neither letter, digit, underscore nor full stop is dropped. */
export function exportFileName(base: string, suffix: string, now: Date): string {
  const moment = now
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC');
  return `${base}_${moment}_${suffix}`.replaceAll(' ', '_').replace(/[^0-9A-Za-z_.]/g, '');
}

/** The base of the name of an agent's file: authority id and primary name of the display name, or the name alone. */
export function agentFileBase(agent: JsonObject): string {
  const name = displayName(agent);
  const [id, primary] = [
    textOf(name, 'authority_id'),
    textOf(name, 'primary_name') ?? textOf(name, 'family_name') ?? '',
  ];
  return id === undefined ? primary : `${id}_${primary}`;
}
