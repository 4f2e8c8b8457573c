// Refs to suppressed records, which a reader who may not see those must not be shown (contract 5.2): found by the marks of links, in earlier
// versions by looking the records up, and taken out of the text of a body as a deletion would take them out.
import { z } from 'zod';
import type { Kind } from '#domain/kind.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import { parseUri } from '#domain/addresses.ts';
import type { StoredRef } from '#domain/checking/stored-refs.ts';
import { storedRefs } from '#domain/checking/stored-refs.ts';
import { singleFlags } from '#domain/rules/only-one.ts';
import type { Property } from '#domain/schema/property.ts';
import { suppressibleKinds } from '#domain/access/suppression.ts';
import type { Prepared } from '#domain/checking/prepare.ts';
import type { Reader, Transaction } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import { leadsToGone, pruneBody, ruleFor } from '../deleting/prune.ts';
import { ofKinds } from '../of-kinds.ts';
import { keyTable } from '../record-key.ts';

/**
 * The SQL expression that finds refs of a body to suppressed records for the record row `r`, as pairs of property path and uri in JSON text; null
 * where there is none, which is the rule. A constant for kinds that cannot name a suppressible record.
 */
export function hiddenRefs(kind: Kind): string {
  if (!mayNameSuppressible(kind)) return 'NULL';
  return `(SELECT json_agg(json_build_array(l.property, record_uri(l.target_kind, l.target_id, l.repo_id)))::text FROM link l
    WHERE l.source_kind = '${kind.name}' AND l.source_id = r.id AND l.suppressed AND l.mutual IS NULL)`;
}

/** The body's text without these refs; what the kind says goes with a deleted target goes here too. */
export function withoutHidden(kind: Kind, body: string, hidden: string): string {
  // Stored bodies are our own canonical text, and the pairs come from the expression above.
  const pairs: readonly (readonly [string, string])[] = JSON.parse(hidden);
  return JSON.stringify(
    withoutRefs(
      kind,
      JSON.parse(body),
      pairs.map(([property, uri]) => ({ property, uri })),
    ),
  );
}

const withoutRefs = (kind: Kind, body: JsonObject, refs: readonly StoredRef[]): JsonObject =>
  refs.reduce((shown, { property, uri }) => {
    const rule = ruleFor(kind, property) === 'drop_part' ? 'drop_part' : 'drop_ref';
    return pruneBody(shown, property, new Set([uri]), rule);
  }, body);

/**
 * Bodies that a kind's records had once, of which no links tell any more, without refs to what is suppressed now. One statement, and none where they
 * name nothing that can be suppressed.
 */
export async function withoutHiddenNow(
  reader: Reader,
  kind: Kind,
  bodies: readonly JsonObject[],
): Promise<readonly JsonObject[]> {
  if (!mayNameSuppressible(kind)) return bodies;
  const named = bodies.map((body) => storedRefs(kind, body));
  const keys = named.flat().flatMap(({ uri }) => {
    const address = parseUri(uri);
    return address === null || !suppressibleKinds.has(address.kind) ? [] : [{ kind: address.kind, id: address.id }];
  });
  if (keys.length === 0) return bodies;
  const hidden = new Set(
    (
      await reader.any(sql.type(SuppressedRow)`
        SELECT record_uri(r.kind, r.id, r.repo_id) AS uri FROM ${keyTable(keys)} AS k (kind, id)
        JOIN record r ON r.kind = k.kind AND r.id = k.id AND ${ofKinds(keys.map((key) => key.kind))} WHERE r.suppressed`)
    ).map(({ uri }) => uri),
  );
  return bodies.map((body, index) =>
    withoutRefs(
      kind,
      body,
      (named[index] ?? []).filter(({ uri }) => hidden.has(uri)),
    ),
  );
}

const SuppressedRow = z.strictObject({ uri: column.text });

const HiddenRow = z.strictObject({ property: column.text, uri: column.text, role: column.maybeText });

/**
 * A body sent by somebody who was not shown refs to suppressed records, with these parts of the stored body put back at the ends of their
 * lists: who cannot see a link must not be able to lose it. One statement, and none more where nothing is hidden.
 */
export async function restoreHidden(
  tx: Transaction,
  kind: Kind,
  id: number,
  old: JsonObject,
  prepared: Prepared,
): Promise<Prepared> {
  if (!mayNameSuppressible(kind)) return prepared;
  const hidden = await tx.any(sql.type(HiddenRow)`
    SELECT property, record_uri(target_kind, target_id, repo_id) AS uri, role FROM link WHERE source_kind = ${kind.name} AND source_id = ${id} AND suppressed AND mutual IS NULL ORDER BY ordinal`);
  const records = Map.groupBy(hidden, ({ property, uri }) => `${property} ${uri}`);
  return [...records.values()].reduce((given, links) => {
    const [{ property, uri } = { property: '', uri: '' }] = links;
    const [list = '', ...rest] = property.split('.');
    const gone = new Set([uri]);
    const [before, stored] = [given.body[list], old[list]];
    // A client that does name the record keeps what it says.
    if (!Array.isArray(stored) || leadsToGone(before, rest, gone)) return given;
    const items = Array.isArray(before) ? before : [];
    const parts = stored
      .filter((item) => leadsToGone(item, rest, gone))
      .map((part) => withoutTaken(part, items, singleFlags(kind.name, kind.properties[list])));
    const back = parts.map((_, index) => ({
      property,
      path: [list, items.length + index, ...rest].join('/'),
      uri,
      // That of a ref; what stands for the record follows from the part.
      role: rest.length === 0 ? (links[index]?.role ?? null) : null,
    }));
    return { ...given, body: { ...given.body, [list]: [...items, ...parts] }, links: [...given.links, ...back] };
  }, prepared);
}

/** A part without the flags that one entry of its list may have and another has: who gave it that did not see this one. */
function withoutTaken(part: Json, items: readonly Json[], flags: readonly string[]): Json {
  const has = (item: Json, flag: string): boolean => isObject(item) && item[flag] === true;
  const taken = flags.filter((flag) => has(part, flag) && items.some((item) => has(item, flag)));
  return isObject(part) && taken.length > 0
    ? { ...part, ...Object.fromEntries(taken.map((flag) => [flag, false])) }
    : part;
}

function mayNameSuppressible(kind: Kind): boolean {
  const isMutual = new Set(Object.keys(kind.mutual ?? {}));
  return Object.entries(kind.properties).some(
    ([name, property]) => property.readonly !== true && !isMutual.has(name) && leadsToSuppressible(property, 0),
  );
}

// Schemas may nest each other without end; no ref to a described record lies as deep as this.
const deepest = 4;

function leadsToSuppressible(property: Property, depth: number): boolean {
  if (depth > deepest) return false;
  switch (property.type) {
    case 'ref':
    case 'uri':
    case 'uri_or_object':
      return property.to.some((name) => suppressibleKinds.has(name));
    case 'list':
      return leadsToSuppressible(property.of, depth);
    case 'either':
      return property.of.some((each) => leadsToSuppressible(each, depth));
    case 'inline':
      return Object.values(property.properties).some((each) => leadsToSuppressible(each, depth + 1));
    case 'sub_record':
      return property
        .of()
        .some((schema) =>
          Object.values(schema.properties).some(
            (each) => each.readonly !== true && leadsToSuppressible(each, depth + 1),
          ),
        );
    default:
      return false;
  }
}
