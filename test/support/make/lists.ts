// The controlled lists of a new installation, as the engine asks for them, without a database.
import { readFileSync } from 'node:fs';
import type { Enumerations } from '#domain/checking/prepare.ts';

type ReferenceList = { readonly name: string; readonly editable: boolean; readonly values: readonly string[] };

/** The lists of db/reference/enumerations.json. */
export function referenceLists(): Enumerations {
  const text = readFileSync(new URL('../../../db/reference/enumerations.json', import.meta.url), 'utf8');
  // The file is checked against the contract by its own test; its entries have this shape.
  const lists = JSON.parse(text) as readonly ReferenceList[];
  const byName = new Map(
    lists.map((list) => [
      list.name,
      { editable: list.editable, values: list.values, has: (value: string): boolean => list.values.includes(value) },
    ]),
  );
  return { get: (name) => byName.get(name) };
}
