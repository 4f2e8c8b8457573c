// `resolve[]` of searches: other documents put beside the rows that name them (contract: behaviour-search.md section 8).
import { fail } from '../../errors.ts';
import type { Json, JsonObject } from '../../json.ts';
import { isObject, textOf } from '../../json.ts';
import { findField } from '../fields.ts';

/** 'resource:uri@compact_resource': documents whose `target` is a value of the row's `source`, whole or cut down. */
export type ResolveRule = { readonly source: string; readonly target: string; readonly isCompact: boolean };

/** Values looked for at most, and documents found at most, over all rows. */
export const mostResolved = { values: 1024, documents: 500 } as const;

/** Reads `resolve` parameters; empty ones are left out. Throws `bad_parameter` for what is malformed or unknown. */
export function parseResolveRules(texts: readonly string[]): readonly ResolveRule[] {
  return texts
    .filter((text) => text !== '')
    .map((text) => {
      const [, source, target, resolver] = /^([^:@]+):([^:@]+)(?:@(.+))?$/.exec(text) ?? [];
      if (source === undefined || target === undefined)
        throw fail('bad_parameter', {
          resolve: [`Resolve request parameter not well-formed: ${text}.  Should be source_field:target_field`],
        });
      if (resolver !== undefined && resolver !== 'compact_resource')
        throw fail('bad_parameter', { resolve: [`Unrecognized search resolver: ${resolver}`] });
      if (findField(target) === undefined)
        throw fail('bad_parameter', { resolve: [`'${target}' is not a field of the index`] });
      return { source, target, isCompact: resolver !== undefined };
    });
}

/** The fields in which a rule looks: records are named by uri, which is their id but for the public's copies. */
export const targetFields = ({ target }: ResolveRule): readonly string[] =>
  target === 'id' ? ['id', 'uri'] : [target];

/** The values of a rule's source field over all rows, each once, at most 1,024. */
export function sourceValues(rows: readonly JsonObject[], rule: ResolveRule): readonly string[] {
  return [...new Set(rows.flatMap((row) => textsOf(row[rule.source])))].slice(0, mostResolved.values);
}

/** The rows with `_resolved_<source>`: value → documents, or null where none was found. */
export function attachResolved(
  rows: readonly JsonObject[],
  rule: ResolveRule,
  documents: readonly JsonObject[],
): readonly JsonObject[] {
  const byValue = new Map<string, JsonObject[]>();
  for (const document of documents) {
    for (const value of new Set(targetFields(rule).flatMap((field) => textsOf(document[field]))))
      byValue.set(value, [...(byValue.get(value) ?? []), rule.isCompact ? toCompact(document) : document]);
  }
  return rows.map((row) => {
    const found = textsOf(row[rule.source]).flatMap((value) =>
      byValue.has(value) ? [[value, byValue.get(value) ?? []] as const] : [],
    );
    return { ...row, [`_resolved_${rule.source}`]: found.length === 0 ? null : Object.fromEntries(found) };
  });
}

const compact = ['id_0', 'id_1', 'id_2', 'id_3', 'level', 'other_level', 'title', 'uri', 'publish', 'display_string'];

function toCompact(document: JsonObject): JsonObject {
  const record: unknown = JSON.parse(textOf(document, 'json') ?? '{}');
  return isObject(record)
    ? Object.fromEntries(
        compact.flatMap((property) => (record[property] === undefined ? [] : [[property, record[property]]])),
      )
    : {};
}

function textsOf(value: Json | undefined): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => textsOf(item));
  return typeof value === 'string' && value !== '' ? [value] : [];
}
