// The collection: its fields, made from the same list of index fields as PostgreSQL's, and the document of a row of search_doc.
// What is only answered (`stored`) is kept on disk and takes no memory.
import { createHash } from 'node:crypto';
import type { CollectionFieldSchema } from 'typesense';
import { z } from 'zod';
import { textFieldPrefixes } from '#domain/search/fields.ts';
import { column } from '../../connection/columns.ts';
import { toLexemeFields } from './lexemes.ts';
import { keyBeginnings, lexemeField, noteFields, toToken } from './token.ts';

/** A field of a collection, in the words of Typesense's API. */
export type SchemaField = Readonly<
  Required<Pick<CollectionFieldSchema, 'name' | 'type'>> &
    Pick<CollectionFieldSchema, 'facet' | 'optional' | 'index' | 'sort'>
>;

/** A row of search_doc with its body. `values` are pairs of field and number of what facets count (search_value). */
export const MirroredRow = z.strictObject({
  id: column.text,
  uri: column.text,
  kind: column.text,
  record_id: column.int,
  repo_id: column.maybeInt,
  audience: column.int,
  published: column.bool,
  suppressed: column.bool,
  factor: column.number,
  len: column.number,
  title_sort: column.maybeText,
  identifier_sort: column.maybeText,
  /** Milliseconds since 1970. */
  create_time: column.maybeInt,
  user_mtime: column.maybeInt,
  system_mtime: column.maybeInt,
  sorts: z.record(z.string(), z.union([column.text, column.number])),
  tsv: column.text,
  stored: column.text,
  values: z.array(z.tuple([column.text, column.int])),
});
export type MirroredRow = z.infer<typeof MirroredRow>;

// Lexemes that no field owns: keys, exact values, presence, years, one that all have, public copies.
const marks = ['k=', 'x=', 'h=', 'y=', 'v=', 'p='];

/** The fields of the collection. Names by pattern are those of facets (`v_`) and of the rarer sort keys (`s_`, `n_`). */
export function collectionFields(): readonly SchemaField[] {
  const words = [...new Set(['', ...textFieldPrefixes()])];
  const lexemes = [
    ...[...words, ...marks].map((prefix) => lexemeField(prefix, 'word')),
    ...words.map((prefix) => lexemeField(prefix, 'pair')),
    ...Object.values(noteFields),
    keyBeginnings,
    'w_title',
    'w_short',
  ];
  return [
    { name: 'record', type: 'string' },
    { name: 'uri', type: 'string' },
    { name: 'doc', type: 'string' },
    { name: 'audience', type: 'int32' },
    { name: 'published', type: 'bool' },
    { name: 'suppressed', type: 'bool' },
    { name: 'repo', type: 'int32' },
    { name: 'factor', type: 'float' },
    { name: 'len', type: 'int32' },
    ...lexemes.map((name): SchemaField => ({ name, type: 'string[]', optional: true })),
    ...['uri_sort', 'title_sort', 'identifier_sort'].map((name): SchemaField => ({
      name,
      type: 'string',
      optional: true,
      sort: true,
    })),
    ...['create_time', 'user_mtime', 'system_mtime'].map((name): SchemaField => ({
      name,
      type: 'int64',
      optional: true,
      sort: true,
    })),
    { name: 's_.*', type: 'string', optional: true, sort: true },
    { name: 'n_.*', type: 'float', optional: true, sort: true },
    { name: 'v_.*', type: 'int32[]', optional: true, facet: true },
    { name: 'place', type: 'string[]', optional: true, facet: true },
    { name: 'doc_id', type: 'string', optional: true, index: false },
    { name: 'stored', type: 'string', optional: true, index: false },
  ];
}

/** A digest of the fields: a collection that was made with another is to be made anew. */
export function schemaDigest(): string {
  return createHash('sha256').update(JSON.stringify(collectionFields())).digest('hex').slice(0, 12);
}

/** The token of a record. */
function recordToken(record: { readonly kind: string; readonly id: number }): string {
  return toToken(`${record.kind} ${record.id}`);
}

// The public's own document beside staff's.
const publicOnly = 2;

/** The ids of the two documents that a record may have: the one that staff finds (and mostly everybody), and the public's own. */
export function documentIdsOf(record: { readonly kind: string; readonly id: number }): {
  readonly first: string;
  readonly second: string;
} {
  const token = recordToken(record);
  return { first: `${token}a`, second: `${token}b` };
}

/** The document of a row. Keys without a value are left out. */
export function toTypesenseDocument(row: MirroredRow): { readonly [field: string]: unknown } {
  const record = { kind: row.kind, id: row.record_id };
  const ids = documentIdsOf(record);
  const facets = new Map<string, number[]>();
  for (const [field, id] of row.values) facets.set(`v_${field}`, [...(facets.get(`v_${field}`) ?? []), id]);
  const given = {
    id: row.audience === publicOnly ? ids.second : ids.first,
    record: recordToken(record),
    uri: toToken(row.uri),
    doc: toToken(row.id),
    audience: row.audience,
    published: row.published,
    suppressed: row.suppressed,
    repo: row.repo_id ?? 0,
    factor: row.factor,
    len: row.len,
    uri_sort: row.uri,
    title_sort: row.title_sort,
    identifier_sort: row.identifier_sort,
    create_time: row.create_time,
    user_mtime: row.user_mtime,
    system_mtime: row.system_mtime,
    place: placesOf(row.stored),
    doc_id: row.id,
    stored: row.stored,
    ...Object.fromEntries(
      Object.entries(row.sorts).map(([name, value]) => [`${typeof value === 'number' ? 'n' : 's'}_${name}`, value]),
    ),
    ...Object.fromEntries(facets),
    ...toLexemeFields(row.tsv),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== ''));
}

/** The repositories that a document belongs to or is used in. */
function placesOf(stored: string): readonly string[] {
  // The index stores what document.ts made: an object.
  const document = JSON.parse(stored) as { readonly repository?: unknown; readonly used_within_repository?: unknown };
  const used: readonly unknown[] = Array.isArray(document.used_within_repository)
    ? document.used_within_repository
    : [];
  return [
    ...new Set(
      [document.repository, ...used].filter((one): one is string => typeof one === 'string' && one !== 'global'),
    ),
  ];
}
