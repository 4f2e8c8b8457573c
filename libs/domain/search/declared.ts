// What the declarations of kinds and sub-records say about search, put together: which kinds are found, the fields of all documents, which
// kinds concern which. Whatever in search works on every kind reads it here; jobs alone, which are no records, are named.
import type { Kind } from '../kind.ts';
import { kinds } from '../kinds/index.ts';
import type { Properties, Property, Schema } from '../schema/property.ts';
import { subrecords } from '../subrecords/index.ts';
import type { FieldSettings, KindSearch, PartSearch } from './declaration.ts';
import { jobSearch } from './documents/job-fields.ts';

/** The kind of documents of jobs, which are no records (contract: behaviour-search.md section 9). */
const jobKind = 'job';

const foundKinds: readonly Kind[] = [...kinds.values()].filter((kind) => kind.search !== false);

/** Kinds that the index holds: those of records, but where they say that they are not found, and jobs. */
export const indexedKinds: ReadonlySet<string> = new Set([...foundKinds.map(({ name }) => name), jobKind]);

/** Kinds of records that are not found, nor shown in the documents of others. */
export const unfoundKinds: readonly string[] = [...kinds.values()].flatMap(({ name, search }) =>
  search === false ? [name] : [],
);

const searches: ReadonlyMap<string, KindSearch> = new Map([
  ...foundKinds.map(({ name, search }) => [name, search === undefined || search === false ? {} : search] as const),
  ...[...subrecords.values()].flatMap(({ name, search }) =>
    search?.ownDocument === undefined
      ? []
      : [[name, { fields: { ...search.ownDocument.fields, ...search.fields } }] as const],
  ),
  [jobKind, jobSearch],
]);

const nothingSaid: KindSearch = {};

/** What is declared of documents of a kind, which is that of a record, `job`, or a sub-record with documents of its own. */
export const searchOf = (kind: string): KindSearch => searches.get(kind) ?? nothingSaid;

/** The names of the kinds that are found of which something holds. */
export const kindsWhere = (holds: (search: KindSearch, kind: Kind) => boolean): readonly string[] =>
  foundKinds.filter((kind) => holds(searchOf(kind.name), kind)).map(({ name }) => name);

/** The sub-records of a kind that declare fields, by the property that holds them. */
export function partsOf(kind: string): readonly (readonly [property: string, part: Schema, search: PartSearch])[] {
  return partsByKind.get(kind) ?? [];
}

const partsByKind: ReadonlyMap<string, ReturnType<typeof partsOf>> = new Map(
  foundKinds.map((kind) => [
    kind.name,
    Object.entries(kind.properties).flatMap(([property, { ...declared }]) =>
      declared.type === 'sub_record'
        ? declared.of().flatMap((part) => (part.search === undefined ? [] : [[property, part, part.search] as const]))
        : [],
    ),
  ]),
);

/** The settings of the fields that kinds and sub-records declare, by name. Fails where two declare one name differently, or one number of words for two. */
export function readFieldSettings(): ReadonlyMap<string, FieldSettings> {
  const found = new Map<string, FieldSettings>();
  const numbers = new Map<number, string>();
  const parts = [...subrecords.values()].flatMap(({ search }) => (search === undefined ? [] : [search.fields]));
  for (const fields of [...parts, ...[...searches.values()].map((search) => search.fields ?? {})]) {
    for (const [name, { read: _read, ...settings }] of Object.entries(fields)) {
      const known = found.get(name);
      if (known !== undefined && textFor(known) !== textFor(settings))
        throw new Error(`search field ${name}: declared in two ways`);
      const holder = settings.words === undefined ? undefined : numbers.get(settings.words.number);
      if (holder !== undefined && holder !== name)
        throw new Error(`search field ${name}: its number of words is that of ${holder}`);
      if (settings.words !== undefined) numbers.set(settings.words.number, name);
      found.set(name, settings);
    }
  }
  return found;
}

const textFor = (settings: FieldSettings): string => JSON.stringify(Object.entries(settings).sort());

/** The properties of a kind's records, at any depth, whose refs documents show with the records they name. */
export const resolvedProperties = (kind: string): ReadonlySet<string> => resolvedByKind.get(kind) ?? none;

/** Those lists of refs of a kind's records that are worked out for replies, so that no link tells what documents are to show of them. */
export const workedOutLists = (kind: string): readonly string[] => workedOutByKind.get(kind) ?? [];

const workedOutByKind: ReadonlyMap<string, readonly string[]> = new Map(
  foundKinds.map(({ name, properties }) => [
    name,
    Object.entries(properties).flatMap(([property, { type, readonly: isReadonly, resolvedInSearch }]) =>
      type === 'list' && isReadonly === true && resolvedInSearch !== undefined ? [property] : [],
    ),
  ]),
);

const none: ReadonlySet<string> = new Set();
const resolvedByKind: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  foundKinds.map((kind) => [
    kind.name,
    propertiesWhere(kind, ({ resolvedInSearch }) => resolvedInSearch !== undefined),
  ]),
);

/** The properties whose refs show the public the names of records that are unpublished. */
export const namedProperties: ReadonlySet<string> = new Set(
  foundKinds.flatMap((kind) => [...propertiesWhere(kind, ({ resolvedInSearch }) => resolvedInSearch === 'named')]),
);

type Holds = (property: Property) => boolean;

/** The names of the properties of a kind's records, at any depth, of which something holds. */
function propertiesWhere({ properties }: Kind, holds: Holds): ReadonlySet<string> {
  const names = new Set<string>();
  collectWhere(properties, holds, names, new Set());
  return names;
}

function collectWhere(properties: Properties, holds: Holds, names: Set<string>, seen: Set<Schema>): void {
  for (const [name, property] of Object.entries(properties)) {
    if (holds(property)) names.add(name);
    collectBelow(property, holds, names, seen);
  }
}

function collectBelow(property: Property, holds: Holds, names: Set<string>, seen: Set<Schema>): void {
  switch (property.type) {
    case 'list':
      return collectBelow(property.of, holds, names, seen);
    case 'either':
      return property.of.forEach((one) => collectBelow(one, holds, names, seen));
    case 'inline':
      return collectWhere(property.properties, holds, names, seen);
    case 'ref':
      return collectWhere(property.properties ?? {}, holds, names, seen);
    case 'sub_record':
      for (const schema of property.of())
        if (!seen.has(schema)) collectWhere(schema.properties, holds, names, seen.add(schema));
      return;
    default:
  }
}
