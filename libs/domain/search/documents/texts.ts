// The texts of a record as search sees them: its notes, all its other words, what belongs to others, and its public part.
// Contract: behaviour-search.md section 9 (fullrecord, fullrecord_published, notes).
import type { Json, JsonObject } from '../../json.ts';
import { isObject, objectOf, objectsOf, textOf, textsOf } from '../../json.ts';
import { namedProperties } from '../declared.ts';

// Not searched as words, wherever they stand: by the contract, and what is written for programs.
const unsearched = new Set(
  (
    'created_by last_modified_by system_mtime user_mtime json types create_time date_type jsonmodel_type publish extent_type language script ' +
    'system_generated suppressed source rules name_order repository top_container ref uri persistent_id lock_version slug vocabulary parent_id ' +
    '_resolved _inherited position path_from_root'
  ).split(' '),
);

// What the assembler takes from the record itself with a weight of its own. Parts of a record may have properties of these names, too.
const takenApart = new Set(
  (
    'ref_id title display_string long_display_string id_0 id_1 id_2 id_3 component_id ead_id digital_object_id notes dates subjects ancestors ' +
    'resource parent digital_object classification display_name display_name_sort agent_contacts used_within_repositories ' +
    'used_within_published_repositories linked_agent_roles barcode finding_aid_title finding_aid_filing_title created_for_collection ' +
    'import_current_ark import_previous_arks ark_name'
  ).split(' '),
);

/** The words of a record's own values beside titles, identifiers, dates and notes; codes of controlled lists are apart. */
export type RestOfRecord = {
  readonly texts: readonly string[];
  readonly notes: readonly string[];
  readonly codes: readonly string[];
  readonly others: readonly string[];
};

/**
 * All remaining strings of a record. `notes` are those of its parts (languages, rights statements, functions of an agent); `codes` are values
 * such as `linear_feet`, found but without weight; `others` are the titles of the records it refers to, where they are resolved.
 */
export function readRest(record: JsonObject): RestOfRecord {
  const texts: string[] = [];
  const notes: string[] = [];
  const codes: string[] = [];
  const others: string[] = [];
  const visit = (value: Json | undefined): void => {
    if (typeof value === 'string') {
      (/^[a-z]+(?:_[a-z]+)*$/.test(value) ? codes : texts).push(value);
    } else if (Array.isArray(value)) {
      value.forEach((item) => visit(item));
    } else if (isObject(value)) {
      for (const name in value) visitProperty(value, name);
    }
  };
  const visitProperty = (object: JsonObject, name: string): void => {
    if (unsearched.has(name) || name.endsWith('_enum_s')) return;
    // The identifier of a file version is a number of the service, which nobody looks for.
    if (name === 'identifier' && object['jsonmodel_type'] === 'file_version') return;
    if (name === 'notes') notes.push(...readNotes(object));
    else visit(object[name]);
  };
  for (const name in record) if (!takenApart.has(name)) visitProperty(record, name);
  // Those of a container profile are one text.
  if (typeof record['notes'] === 'string') texts.push(record['notes']);
  collectOthers(record, others);
  return { texts, notes, codes, others };
}

/** The texts of notes, each note one text: its label, content, and that of its parts, at any depth. */
export function readNotes(record: JsonObject): readonly string[] {
  return objectsOf(record, 'notes')
    .map((note) => noteTexts(note).join(' '))
    .filter((text) => text !== '');
}

/** The abstract, else the scope and contents, as one text; undefined where there is neither. */
export function readSummary(record: JsonObject): string | undefined {
  const notes = objectsOf(record, 'notes');
  const abstract = notes.find((note) => textOf(note, 'type') === 'abstract');
  if (abstract !== undefined) {
    return textsOf(abstract, 'content').join(' ');
  }
  const scope = notes.find((note) => textOf(note, 'type') === 'scopecontent');
  return scope === undefined
    ? undefined
    : objectsOf(scope, 'subnotes')
        .map((part) => textOf(part, 'content') ?? '')
        .join(' ')
        .trim();
}

// What is written for those who work on a record, whatever is published of it.
const internal: ReadonlySet<string> = new Set([
  'collection_management',
  'user_defined',
  'repository_processing_note',
  'internal_note',
]);

/** Whether a property of an object is not for the public, though nothing in its value says so. */
function isHiddenProperty(object: JsonObject, key: string): boolean {
  if (internal.has(key)) return true;
  if (key === 'finding_aid_status') return object['is_finding_aid_status_published'] === false;
  // A note on where a container stands.
  if (key === 'note') return object['jsonmodel_type'] === 'container_location';
  // Relations between agents are not resolved here, so whether the other one is published is not known: that there is one, says enough.
  return (
    (key === 'description' || key === 'dates') && String(object['jsonmodel_type']).startsWith('agent_relationship_')
  );
}

/** The record without the parts that are marked unpublished or are internal, at any depth; the same object where there are none. */
export function readPublicPart(record: JsonObject): JsonObject {
  if (!hasHidden(record)) return record;
  const isHidden = (value: Json | undefined): boolean => isObject(value) && value['publish'] === false;
  const prune = (value: Json | undefined): Json | undefined => {
    if (Array.isArray(value)) {
      // Array.isArray widens the elements of a readonly array to any; they are Json by the type of value.
      const items = value as readonly Json[];
      const kept = items.filter((item) => !isHidden(item) && !isHidden(isObject(item) ? item['_resolved'] : undefined));
      const pruned = kept.map((item) => prune(item) ?? null);
      return pruned.length === items.length && pruned.every((item, index) => item === items[index]) ? value : pruned;
    }
    return isObject(value) ? pruneObject(value) : value;
  };
  const pruneProperty = (key: string, value: Json | undefined): Json | undefined => {
    const target = isObject(value) && namedProperties.has(key) ? objectOf(value, '_resolved') : undefined;
    const pruned = prune(value);
    return target?.['publish'] === false && isObject(pruned) ? { ...pruned, _resolved: namesOf(target) } : pruned;
  };
  const pruneObject = (object: JsonObject): JsonObject => {
    let isSame = true;
    const entries: [string, Json | undefined][] = [];
    for (const [key, value] of Object.entries(object)) {
      const pruned = isHidden(value) || isHiddenProperty(object, key) ? undefined : pruneProperty(key, value);
      isSame &&= pruned === value;
      if (pruned !== undefined) {
        entries.push([key, pruned]);
      }
    }
    return isSame ? object : Object.fromEntries(entries);
  };
  return pruneObject(record);
}

/** What an unpublished record is called, and nothing else of it. */
function namesOf(record: JsonObject): JsonObject {
  const names = ['jsonmodel_type', 'uri', 'title', 'display_name'];
  return Object.fromEntries(names.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]])));
}

// Most records have none: a look costs less than a copy.
function hasHidden(value: Json | undefined): boolean {
  const isHiddenPart = (inner: Json | undefined): boolean =>
    typeof inner === 'object' &&
    inner !== null &&
    ((isObject(inner) && inner['publish'] === false) || hasHidden(inner));
  if (Array.isArray(value)) return value.some(isHiddenPart);
  if (!isObject(value)) return false;
  for (const key in value)
    if (isHiddenPart(value[key]) || (value[key] !== undefined && isHiddenProperty(value, key))) return true;
  return false;
}

// Of a note on access that names a record, the record is no part: its title is among the others (collectOthers).
const unread = new Set([
  '_resolved',
  'jsonmodel_type',
  'type',
  'persistent_id',
  'publish',
  'ref',
  'ingest_problem',
  'created_by',
  'last_modified_by',
  'create_time',
  'system_mtime',
  'user_mtime',
]);

function noteTexts(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') {
    return [value];
  }
  if (Array.isArray(value)) {
    return value.flatMap(noteTexts);
  }
  return isObject(value)
    ? Object.entries(value).flatMap(([key, inner]) => (unread.has(key) ? [] : noteTexts(inner)))
    : [];
}

// Agents and subjects are the record's own words and are taken by the assembler.
function collectOthers(value: Json | undefined, others: string[]): void {
  if (Array.isArray(value)) {
    value.forEach((item) => collectOthers(item, others));
  } else if (isObject(value)) {
    for (const key in value) {
      const inner = value[key];
      if (typeof inner !== 'object') continue;
      if (key === '_resolved' && isObject(inner)) {
        others.push(
          ...['long_display_string', 'display_string', 'title', 'name']
            .flatMap((name) => textOf(inner, name) ?? [])
            .slice(0, 1),
        );
      } else if (key !== 'linked_agents' && key !== 'subjects') {
        collectOthers(inner, others);
      }
    }
  }
}
