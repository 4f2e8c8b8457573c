// What an absent property is stored as: defaults, empty lists, generated ids, flags.
import type { Json } from '../json.ts';
import type { Property, Schema } from '../schema/property.ts';
import type { Pass } from './pass.ts';

/** Gives the value of an absent property; undefined: it stays absent. */
export type Fill = (pass: Pass) => Json | undefined;

/** How an absent property of a schema (null: of an object without one) is filled in; null where it never is. */
export function fillOf(name: string, property: Property, schema: Schema | null): Fill | null {
  if (name === 'publish' && schema?.publishable === true) return publishFill(schema.name);
  // Empty texts are never sent (contract 1.2), so a default of '' is the same as none.
  if (property.default !== undefined && property.default !== '') return always(property.default);
  if (property.type === 'list') return () => [];
  if (property.type === 'string' && property.generated === 'hex')
    return (pass) => pass.context.generatedValues.newHexId();
  // An update is a replacement: flags of the record itself that it leaves out become false (contract 3.1).
  if (property.type === 'boolean' && property.readonly !== true)
    return (pass) => (pass.context.operation === 'update' && pass.path.length === 0 ? false : undefined);
  return null;
}

const always = (value: Json) => (): Json => value;

/** The publish flag where it is absent (contract 3.1): the caller's preference, but false on updated records and on notes that are no sub-notes. */
function publishFill(name: string): (pass: Pass) => boolean {
  if (name.startsWith('note_')) return (pass) => pass.noteDepth > 1 && pass.context.generatedValues.publishDefault;
  return (pass) =>
    pass.path.length === 0 && pass.context.operation === 'update' ? false : pass.context.generatedValues.publishDefault;
}
