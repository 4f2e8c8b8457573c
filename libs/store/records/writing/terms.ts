// Terms inside bodies: shared records that are found or made when a subject (or an agent link) names them (contract 6.2).
import { z } from 'zod';
import { parseUri } from '#domain/addresses.ts';
import type { TermSeen } from '#domain/batch-import/terms.ts';
import { termIdentity } from '#domain/batch-import/terms.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject, objectsOf, textOf } from '#domain/json.ts';
import { fail } from '#domain/errors.ts';
import type { Transaction } from '../../connection/database.ts';
import { notifyClients } from '../../change-log/notifications.ts';
import { column, IdRow } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';

function termOf(value: Json | undefined): TermSeen | null {
  if (!isObject(value) || value['jsonmodel_type'] !== 'term') return null;
  const term = textOf(value, 'term');
  const termType = textOf(value, 'term_type');
  const vocabulary = textOf(value, 'vocabulary');
  return term === undefined || termType === undefined || vocabulary === undefined
    ? null
    : { term, termType, vocabulary };
}

/** The `terms` arrays of a body: its own, and those of agent links. */
function termLists(body: JsonObject): readonly (readonly Json[])[] {
  const holders = [body, ...objectsOf(body, 'linked_agents')];
  return holders
    .map((holder) => holder['terms'])
    .filter((terms): terms is readonly Json[] => Array.isArray(terms) && terms.length > 0);
}

/**
 * The bodies with every term, given as object or uri, replaced by the stored term with its uri; a body itself where it
 * has none. Terms that do not exist are made. At most five statements, whatever the number of terms.
 */
export async function ensureTerms(
  tx: Transaction,
  bodies: readonly JsonObject[],
  actor: string | null,
): Promise<readonly JsonObject[]> {
  const values = bodies.flatMap(termLists).flat();
  if (values.length === 0) return bodies;
  const ids = values.filter((value): value is string => typeof value === 'string').map((uri) => idOf(uri, 'term'));
  const terms = new Map(
    values
      .flatMap((value) => (isObject(value) ? [termOf(value)] : []))
      .filter((term) => term !== null)
      .map((term) => [termIdentity(term), term]),
  );
  const byUri = await termsById(tx, ids);
  const byKey = await findOrMakeTerms(tx, [...terms.values()], actor);
  const replace = (value: Json): Json => {
    const uri =
      typeof value === 'string'
        ? value
        : byKey.get(termIdentity(termOf(value) ?? { term: '', termType: '', vocabulary: '' }));
    const term = typeof value === 'string' ? byUri.get(value) : termOf(value);
    if (uri === undefined || term === undefined || term === null)
      throw fail(
        'unknown_reference',
        `Can't relate to non-existent record: ${String(typeof value === 'string' ? value : uri)}`,
      );
    return { jsonmodel_type: 'term', uri, term: term.term, term_type: term.termType, vocabulary: term.vocabulary };
  };
  return bodies.map((body) => withTerms(body, replace));
}

function withTerms(body: JsonObject, replace: (value: Json) => Json): JsonObject {
  if (termLists(body).length === 0) return body;
  const within = (holder: JsonObject): JsonObject =>
    Array.isArray(holder['terms']) && holder['terms'].length > 0
      ? { ...holder, terms: holder['terms'].map(replace) }
      : holder;
  const own = within(body);
  return Array.isArray(own['linked_agents'])
    ? { ...own, linked_agents: own['linked_agents'].map((link) => (isObject(link) ? within(link) : link)) }
    : own;
}

function idOf(uri: string, kind: string): number {
  const address = parseUri(uri);
  if (address === null || address.kind !== kind)
    throw fail('unknown_reference', `Can't relate to non-existent record: ${uri}`);
  return address.id;
}

const TermsByIdRow = z.strictObject({
  id: column.int,
  term: column.text,
  term_type: column.text,
  vocabulary: column.text,
});

async function termsById(tx: Transaction, ids: readonly number[]): Promise<ReadonlyMap<string, TermSeen>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.any(sql.type(TermsByIdRow)`
    SELECT id, body->>'term' AS term, body->>'term_type' AS term_type, body->>'vocabulary' AS vocabulary FROM record WHERE kind = 'term' AND id = ANY(${sql.array([...ids], 'int4')})`);
  return new Map(
    rows.map((row) => [`/terms/${row.id}`, { term: row.term, termType: row.term_type, vocabulary: row.vocabulary }]),
  );
}

const MadeTermRow = z.strictObject({ value: column.text, id: column.int });

/** Uris of terms by key; makes those that are missing. Two transactions that make the same term wait for each other on its unique key. */
async function findOrMakeTerms(
  tx: Transaction,
  terms: readonly TermSeen[],
  actor: string | null,
): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, string>();
  if (terms.length === 0) return known;
  const keys = terms.map(termIdentity).sort();
  const find = async (): Promise<void> => {
    const rows = await tx.any(sql.type(MadeTermRow)`
      SELECT value, id FROM unique_key WHERE rule = 'term.identity' AND scope = '' AND value = ANY(${sql.array(keys, 'text')})`);
    for (const row of rows) known.set(row.value, `/terms/${row.id}`);
  };
  await find();
  const missing = terms.filter((term) => !known.has(termIdentity(term)));
  if (missing.length === 0) return known;
  await checkVocabularies(tx, missing);
  const rows = missing.map((term) => [
    termIdentity(term),
    JSON.stringify({ jsonmodel_type: 'term', term: term.term, term_type: term.termType, vocabulary: term.vocabulary }),
    term.term,
  ]);
  const made = await tx.run(sql`
    WITH fresh AS (SELECT nextval('term_id_seq')::int AS id, u.* FROM ${sql.unnest(rows, ['text', 'text', 'text'])} AS u (value, body, label)),
    claimed AS (INSERT INTO unique_key (rule, scope, value, kind, id) SELECT 'term.identity', '', value, 'term', id FROM fresh ORDER BY value ON CONFLICT DO NOTHING RETURNING id, value),
    written AS (INSERT INTO record (kind, id, label, created_by, last_modified_by, body)
      SELECT 'term', fresh.id, fresh.label, ${actor}, ${actor}, fresh.body::json FROM fresh JOIN claimed USING (id) RETURNING id)
    INSERT INTO change (actor, kind, id, op, lock_version) SELECT ${actor}, 'term', id, 'create', 0 FROM written`);
  if (made > 0) await notifyClients(tx, 'VOCABULARY_CHANGED');
  await find();
  return known;
}

async function checkVocabularies(tx: Transaction, terms: readonly TermSeen[]): Promise<void> {
  const uris = [...new Set(terms.map((term) => term.vocabulary))];
  const found = await tx.any(sql.type(IdRow)`
    SELECT id FROM record WHERE kind = 'vocabulary' AND id = ANY(${sql.array(
      uris.map((uri) => idOf(uri, 'vocabulary')),
      'int4',
    )})`);
  const missing = uris.find((uri) => !found.some((row) => `/vocabularies/${row.id}` === uri));
  if (missing !== undefined) throw fail('unknown_reference', `Can't relate to non-existent record: ${missing}`);
}
