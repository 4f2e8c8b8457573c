// What replies show in the sub-records of a record beside what is stored: audit fields, and what their schemas declare (`shows`,
// `linkTimes`). It is put into the body's text, which is not parsed for it (decision 0004).
import { uriOf } from '#domain/addresses.ts';
import type { Config } from '#domain/config.ts';
import type { JsonObject } from '#domain/json.ts';
import { objectsOf } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import type { PartName, Schema } from '#domain/schema/property.ts';
import { subrecords } from '#domain/subrecords/index.ts';
import type { RecordRow } from './row.ts';

type Release = Config['MUNIMENT_RELEASE'];

type Shown = NonNullable<Schema['shows']>[number];

/** How sub-records of a schema are shown, where that is not as most are: with a version, and nothing of where they are. */
type PartForm = {
  readonly name: string;
  readonly version: string;
  readonly shows: readonly Shown[];
  /** Whether their places are counted, and the schemas that are counted anew in each. */
  readonly isCounted: boolean;
  readonly recounted: readonly string[];
  readonly copied: PartName['copied'];
};

const schemas = [...subrecords.values()];
const nameOf = (schema: Schema): PartName | undefined => schema.shows?.find((shown) => typeof shown === 'object');

const forms: ReadonlyMap<string, PartForm> = new Map(
  schemas.flatMap((schema) => {
    const name = nameOf(schema);
    const recounted = schemas.filter((inner) => nameOf(inner)?.within === schema.name).map((inner) => inner.name);
    const isCounted = name !== undefined || recounted.length > 0;
    if (!isCounted && schema.shows === undefined && schema.lockVersioned !== false) return [];
    const version = schema.lockVersioned === false ? '' : '"lock_version":0,';
    const form: PartForm = {
      name: schema.name,
      version,
      shows: schema.shows ?? [],
      isCounted,
      recounted,
      copied: name?.copied,
    };
    return [[schema.name, form] as const];
  }),
);

const linkMarks = schemas
  .filter((schema) => schema.linkTimes === true)
  .map((schema) => `"jsonmodel_type":"${schema.name}"`);
const linkTime = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;

const partMark = '{"jsonmodel_type":';

/**
 * The text of a body (from behind its first brace) with all that replies show in its sub-records, in one pass over the places where one begins.
 *
 * Sub-records are re-created at each save (contract, behaviour-records 3.2), so their audit fields are those of the
 * record's last save. They are put in by replacing a byte sequence that the canonical body has at audited objects
 * alone; inside a JSON string its quotes would be escaped, so no text a client sends can be mistaken for it.
 */
export function withShownParts(kind: Kind, row: RecordRow, text: string, release: Release): string {
  const parts = withLinkTimes(row, text).split(partMark);
  const audit = `${auditOfParts(row)}${partMark.slice(1)}`;
  const places = new Map<string, number>();
  // Added up rather than joined: the reply is put together in one copy, when it is sent.
  let whole = parts[0] ?? '';
  for (let index = 1; index < parts.length; index++) {
    // What follows the mark: the name of the schema in quotes, then the rest of the object.
    const part = parts[index] ?? '';
    const end = part.indexOf('"', 1) + 1;
    const form = forms.get(part.slice(1, end - 1));
    if (form === undefined) {
      whole += `{"lock_version":0,${audit}${part}`;
      continue;
    }
    const isCopy = form.copied !== undefined && parts[index - 1]?.endsWith(`"${form.copied.as}":`) === true;
    const original = isCopy ? originalOf(row.body, form.copied) : null;
    const place = original?.place ?? (form.isCounted ? count(form, places) : 0);
    whole += `{${form.version}${audit}${part.slice(0, end)}${shownText(form, kind, row, place, places, release)}${original?.shown ?? ''}${part.slice(end)}`;
  }
  return whole;
}

/** Links with times of their own (of a container to its shelf) have those of the record. */
function withLinkTimes(row: RecordRow, text: string): string {
  let timed = text;
  for (const mark of linkMarks) {
    if (!timed.includes(mark)) continue;
    const time = linkTime(row.user_mtime);
    timed = timed.replaceAll(mark, `${mark},"system_mtime":"${time}","user_mtime":"${time}"`);
  }
  return timed;
}

/** The audit fields of the sub-records: the record's last save. Ends in a comma. */
function auditOfParts(row: RecordRow): string {
  const name = row.last_modified_by === null ? null : JSON.stringify(row.last_modified_by);
  const by = name === null ? '' : `"created_by":${name},"last_modified_by":${name},`;
  return `${by}"create_time":"${row.user_mtime}","system_mtime":"${row.user_mtime}","user_mtime":"${row.user_mtime}",`;
}

/** The place of the next sub-record of a schema; what is counted within it begins anew. */
function count(form: PartForm, places: Map<string, number>): number {
  const place = (places.get(form.name) ?? -1) + 1;
  places.set(form.name, place);
  for (const inner of form.recounted) places.delete(inner);
  return place;
}

/** The place of the entry that a copy was made from, and what the copy shows of the entry behind it, with a comma before. */
function originalOf(
  text: string,
  { as, from, next }: NonNullable<PartForm['copied']>,
): { readonly place: number; readonly shown: string } {
  const body: JsonObject = JSON.parse(text);
  const copy = JSON.stringify(body[as]);
  const entries = objectsOf(body, from);
  const place = entries.findIndex((entry) => JSON.stringify(entry) === copy);
  const behind = place === -1 ? undefined : entries[place + 1];
  const value = behind === undefined ? undefined : next?.of(behind);
  return { place, shown: value === undefined ? '' : `,"${next?.property}":${JSON.stringify(value)}` };
}

/** What a sub-record shows of its record and of its place there, each with a comma before it. */
function shownText(
  form: PartForm,
  kind: Kind,
  row: RecordRow,
  place: number,
  places: ReadonlyMap<string, number>,
  release: Release,
): string {
  let text = '';
  for (const shown of form.shows) {
    if (shown === 'repository' || shown === 'parent') {
      if (kind.scope !== 'repository') continue;
      const ref = shown === 'repository' ? `/repositories/${row.repo_id}` : uriOf(kind, row.id, row.repo_id);
      text += `,"${shown}":{"ref":"${ref}"}`;
    } else if (shown.release === undefined || shown.release === release) {
      const around = shown.within === undefined ? 0 : (places.get(shown.within) ?? -1);
      const name = shown.of({ kind: kind.name, id: row.id, repoId: row.repo_id, place, around });
      if (name !== null) text += `,"${shown.property}":"${name}"`;
    }
  }
  return text;
}
