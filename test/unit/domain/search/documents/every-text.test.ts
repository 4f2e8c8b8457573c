// Every text of a record is found, in whatever part of it it stands. Contract: behaviour-search.md, section 9 (fullrecord, and what is not in it).
import { expect, it } from 'vitest';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import { kinds } from '#domain/kinds/index.ts';
import { indexedKinds } from '#domain/search/declared.ts';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { seededSource } from '#test/support/make/body-source.ts';
import type { BodySource } from '#test/support/make/from-schema.ts';
import { bodyFor } from '#test/support/make/from-schema.ts';

/** By the contract, or of programs alone. */
const unsearched = [
  ...['jsonmodel_type', 'ref', 'uri', 'persistent_id', 'slug', 'vocabulary', 'source', 'rules', 'language', 'script'],
  // By what people are reached is for those who may see it.
  'agent_contacts',
  // What an import could not read, how a link of XML is followed, and names that a save makes ARKs of.
  ...['ingest_problem', 'xlink', 'import_current_ark', 'import_previous_arks'],
  // An address.
  'created_for_collection',
];

const listed = new Set<string>();

/** Parts of bodies; remembers the values of the lists that it gave. */
function source(seed: number): BodySource {
  const { listValues, ...rest } = seededSource(seed);
  const given = (name: string): readonly string[] => {
    const values = listValues(name);
    for (const value of values) listed.add(value);
    return values;
  };
  return { ...rest, listValues: given };
}

/** Whether a value is what lists, dates, numbers and addresses of records have, and no words. `x` is what the maker of bodies writes for a text. */
const isCode = (value: string): boolean =>
  listed.has(value) || (value !== 'x' && /^(?:[a-z]+(?:_[a-z]+)*|[\d.,:+TZ[\]-]+|\/.*)$/.test(value));

/** A copy of a body in which every text that people write has a word of its own, and these words with the places that they stand at. */
function worded(body: JsonObject): { readonly record: JsonObject; readonly places: ReadonlyMap<string, string> } {
  const places = new Map<string, string>();
  const copy = (value: Json | undefined, place: string): Json | undefined => {
    if (Array.isArray(value)) return value.map((item, at) => copy(item, `${place}/${at}`) ?? null);
    if (isObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          name,
          unsearched.includes(name) ? inner : copy(inner, `${place}/${name}`),
        ]),
      );
    if (typeof value !== 'string' || isCode(value)) return value;
    const word = `zqw${places.size}z`;
    places.set(word, place);
    return word;
  };
  // A copy of an object is one.
  return { record: copy(body, '') as JsonObject, places };
}

it.each([...indexedKinds].filter((name) => kinds.has(name)))('every text of a record of kind %s is found', (name) => {
  const schema = kinds.get(name)?.schema;
  if (schema === undefined) throw new Error(`no schema of ${name}`);
  const lost = new Set<string>();
  for (let seed = 1; seed <= 10; seed++) {
    const { record, places } = worded(bodyFor(schema, source(seed), 2));
    const [document] = toSearchDocuments(name, { ...record, uri: `/${name}/1`, publish: true });
    const found = new Set(document?.vector.lexemes.map(({ lexeme }) => lexeme));
    for (const [word, place] of places) if (!found.has(word)) lost.add(place.replaceAll(/\/\d+/g, ''));
  }
  expect([...lost]).toEqual([]);
});
