// Checks that compare the entries of a list: flags that one entry may have, documents that may not repeat (contract 3.2).
// They are checks of the contract's storage: reported only where plain checks and rules found nothing.
import type { JsonObject } from '../json.ts';
import { objectsOf, textOf } from '../json.ts';
import type { Property, Rule, Schema } from '../schema/property.ts';

/** The late rules of a schema: its own and those that follow from its lists. */
export function lateRulesOf(schema: Schema): readonly Rule[] {
  return [
    ...(schema.lateRules ?? []),
    ...Object.entries(schema.properties).flatMap(([name, property]) => listRules(schema, name, property)),
  ];
}

function listRules(schema: Schema, name: string, property: Property): readonly Rule[] {
  if (property.type !== 'list' || property.readonly === true) return [];
  if (name === 'external_documents') return [documentsDiffer];
  if (property.of.type === 'ref')
    return property.of.properties?.['is_primary'] === undefined ? [] : [onePrimary(schema, name)];
  const of = partIn(property);
  if (of === undefined) return [];
  return singleFlags(schema.name, property).map((flag) =>
    oneFlagged(name, flag, `A ${schema.name} can have only one ${modelName(of.name)} defined as: ${flag}`),
  );
}

/** The sub-record that a list holds. */
const partIn = (property: Property | undefined): Schema | undefined =>
  property?.type === 'list' && property.of.type === 'sub_record' ? property.of.of()[0] : undefined;

/** The flags that one entry of a list may have, in a record of the kind or a sub-record of the name `holder`. */
export function singleFlags(holder: string, property: Property | undefined): readonly string[] {
  const only = partIn(property)?.onlyOne;
  return only === undefined || (only.in !== undefined && !only.in.includes(holder)) ? [] : only.flags;
}

function oneFlagged(name: string, flag: string, message: string): Rule {
  return (object, report) => {
    flagged(object, name, flag)
      .slice(1)
      .forEach((index) => report(`${name}/${index}/${flag}`, message));
  };
}

function onePrimary(schema: Schema, name: string): Rule {
  const message = `A ${schema.name} can have only one primary linked agent`;
  return (object, report) => {
    if (flagged(object, name, 'is_primary').length > 1) report(name, message);
  };
}

const flagged = (object: JsonObject, name: string, flag: string): readonly number[] =>
  objectsOf(object, name).flatMap((entry, index) => (entry[flag] === true ? [index] : []));

const documentsDiffer: Rule = (object, report) => {
  const seen = new Set<string>();
  objectsOf(object, 'external_documents').forEach((document, index) => {
    const key = JSON.stringify([textOf(document, 'location') ?? '', textOf(document, 'title') ?? '']);
    if (seen.has(key))
      report(`external_documents/${index}/location`, 'location and title must have unique values within a record');
    seen.add(key);
  });
};

/** The reference's word for a sub-record: name_person is NamePerson. */
function modelName(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
