// Bodies of some kinds that hold what must be there, prepared as a request or an import would prepare them.
import { kindNamed } from '#domain/addresses.ts';
import type { PrepareContext, Prepared } from '#domain/checking/prepare.ts';
import { prepare } from '#domain/checking/prepare.ts';
import { Failure } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { testContext } from './prepare-context.ts';

/** The least of an accession. */
export const accession = { id_0: 'A1', accession_date: '2020-01-01' };
/** The least of an archival object. */
export const component = { title: 'x', level: 'file', resource: { ref: '/repositories/2/resources/1' } };
/** The least of a resource. */
export const resource = {
  title: 'R',
  id_0: 'R1',
  level: 'collection',
  finding_aid_language: 'eng',
  finding_aid_script: 'Latn',
  extents: [{ portion: 'whole', number: '1', extent_type: 'linear_feet' }],
  dates: [{ date_type: 'single', label: 'creation', begin: '1900' }],
  lang_materials: [{ language_and_script: { language: 'eng' } }],
};
/** The least of an agent_person. */
export const person = { names: [{ primary_name: 'Aroha', name_order: 'direct', sort_name_auto_generate: true }] };

/** A body of the kind, prepared. */
export const prepared = (name: string, body: JsonObject, changes: Partial<PrepareContext> = {}): Prepared =>
  prepare(kindNamed(name), body, testContext(changes));

/** The failure with which a body is refused; throws where it is accepted. */
export function refusalOf(name: string, body: JsonObject, changes: Partial<PrepareContext> = {}): Failure {
  try {
    prepared(name, body, changes);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('the body was accepted');
}
