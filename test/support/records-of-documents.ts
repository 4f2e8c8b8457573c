// What tests of real documents ask of the records a reader gave: that the import accepts them, and which texts they hold.
import { Failure } from '#domain/errors.ts';
import type { DroppedPart } from '#domain/formats/reading/report.ts';
import type { ImportAbout } from '#domain/formats/define-import.ts';
import type { ImportRecord } from '#domain/formats/reading/context.ts';
import { kinds } from '#domain/kinds/index.ts';
import { prepare } from '#domain/checking/prepare.ts';
import { testContext } from './make/prepare-context.ts';

const importing = testContext({ acceptTemporary: true, createEnumerationValues: true });

/** Whether a list of a new installation has a value, as readers ask it. */
export const isListed: ImportAbout['isEnumerationValue'] = (list, value) =>
  importing.enumerations.get(list)?.has(value) ?? false;

/** The records that an import would refuse: kind, title and messages of each. */
export function refusedRecords(records: readonly ImportRecord[]): readonly unknown[] {
  return records.flatMap((record) => {
    const kind = kinds.get(record.jsonmodel_type);
    if (kind === undefined) throw new TypeError(`no kind ${record.jsonmodel_type}`);
    try {
      prepare(kind, record, importing);
      return [];
    } catch (error) {
      return [[record.jsonmodel_type, record['title'], error instanceof Failure ? error.error : error]];
    }
  });
}

/** All strings in a value. `joined` gives the text of an object that a document has as one and a record as several properties. */
export function stringsOf(value: unknown, joined: (part: object) => string | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((item) => stringsOf(item, joined));
  if (typeof value !== 'object' || value === null) return [];
  const whole = joined(value);
  return [...(whole === undefined ? [] : [whole]), ...Object.values(value).flatMap((item) => stringsOf(item, joined))];
}

/** The two parts of a name, for stringsOf. */
export const joinedName = (part: object): string | undefined =>
  'primary_name' in part && 'rest_of_name' in part
    ? `${String(part.primary_name)}${String(part.rest_of_name)}`
    : undefined;

/** Number and type of an extent, for stringsOf. */
export const joinedExtent = (part: object): string | undefined =>
  'number' in part && 'extent_type' in part ? `${String(part.number)} ${String(part.extent_type)}` : undefined;

/** Whether a text of a document is in an element that the report names; steps of the path are `element@line`. */
export function isReported(path: readonly string[], dropped: readonly DroppedPart[]): boolean {
  const steps = new Set(path);
  return dropped.some((part) => steps.has(`${part.element}@${part.line}`));
}
