// Conditions of the search statements: what matches (domain predicates) and what the caller may see, as SQL over search_doc.
import { escapeLike } from '#domain/search/query/words.ts';
import type { Bound, Predicate } from '#domain/search/query/predicate.ts';
import { readAskedColumns } from '#domain/search/query/asked-columns.ts';
import { toBareWord } from '#domain/search/lexeme.ts';
import { alternativesOf, any, every, toTsquery, wordsOf } from '#domain/search/query/tsquery.ts';
import type { ExpandedWords, LexemeQuery } from '#domain/search/query/tsquery.ts';
import { sql } from '../../connection/sql.ts';
import type { Fragment } from '../../connection/sql.ts';
import type { Visibility } from '../port.ts';
import { notHidden } from './hidden.ts';
import type { Hidden } from './hidden.ts';

/** The condition that a document of search_doc `d` matches. Lexeme parts are served by the GIN index on tsv. */
export function toCondition(predicate: Predicate, expanded: ExpandedWords): Fragment {
  switch (predicate.kind) {
    case 'lexemes':
      return toLexemeCondition(predicate.query, expanded);
    case 'every':
      return sql.fragment`(${sql.join(
        predicate.parts.map((part) => toCondition(part, expanded)),
        sql.fragment` AND `,
      )})`;
    case 'any':
      return sql.fragment`(${sql.join(
        [
          ...(['uri', 'id'] as const).flatMap((column) => oneOf(predicate.parts, column)),
          ...predicate.parts.flatMap((part) => (part.kind === 'equals' ? [] : [toCondition(part, expanded)])),
        ],
        sql.fragment` OR `,
      )})`;
    case 'not':
      return sql.fragment`(${toCondition(predicate.part, expanded)}) IS NOT TRUE`;
    case 'equals':
      return sql.fragment`d.${sql.identifier([predicate.column])} = ${predicate.value}`;
    case 'starts':
      return sql.fragment`d.${sql.identifier([predicate.column])} LIKE ${`${escapeLike(predicate.value)}%`}`;
    case 'near':
      return sql.fragment`search_near(d.tsv, ${sql.array([...predicate.words], 'text')}, ${predicate.places})`;
    case 'compare':
      return compare(predicate);
  }
}

// A thousand addresses are one look-up each in an index; as a thousand conditions they are planned for longer than that takes.
function oneOf(parts: readonly Predicate[], column: 'uri' | 'id'): readonly Fragment[] {
  const values = parts.flatMap((part) => (part.kind === 'equals' && part.column === column ? [part.value] : []));
  return values.length === 0 ? [] : [sql.fragment`d.${sql.identifier([column])} = ANY(${sql.array(values, 'text')})`];
}

// For each document that any word finds, GIN goes through all words of the query. A thousand of them are asked for in portions, each by a scan of its own; the
// planner would not do so for an OR of them, whose cost it takes for that of nothing.
const mostTogether = 48;
const portion = 16;

function toLexemeCondition(query: LexemeQuery, expanded: ExpandedWords): Fragment {
  const matching = (one: LexemeQuery): Fragment => sql.fragment`d.tsv @@ ${toTsquery(one, expanded)}::tsquery`;
  const parts = query.kind === 'every' ? query.parts : [query];
  const wide = parts.find((part) => alternativesOf(part, expanded).length > mostTogether);
  const others = parts.filter((part) => part !== wide);
  // A further word is rarer than many together, and what it finds is looked through.
  if (
    wide === undefined ||
    others.some((other) => wordsOf(other, expanded).some((one) => toBareWord(one).indexOf('=') < 0))
  )
    return matching(query);
  const alternatives = alternativesOf(wide, expanded);
  const scans = Array.from(
    { length: Math.ceil(alternatives.length / portion) },
    (_, index) =>
      sql.fragment`SELECT d.ctid FROM search_doc d WHERE ${matching(any(alternatives.slice(index * portion, (index + 1) * portion)))}`,
  );
  const found = sql.fragment`d.ctid = ANY(ARRAY(${sql.join(scans, sql.fragment` UNION ALL `)}))`;
  return others.length === 0 ? found : sql.fragment`${found} AND ${matching(every(others))}`;
}

/** The condition that a caller may see a document of search_doc `d`. */
export function toVisibleCondition(visibility: Visibility, hidden: Hidden): Fragment {
  const shown = notHidden(hidden);
  const visible = toScopeCondition(visibility, hidden);
  return shown === null ? visible : sql.fragment`${visible} AND ${shown}`;
}

/** The same of documents, or of scopes of documents, `d`: but for records that are hidden one by one. */
export function toScopeCondition(visibility: Visibility, { repositories: closed }: Hidden): Fragment {
  const { repositories, mayNotSeeUnpublished, seesSuppressed } = visibility;
  // IS TRUE keeps the planner from looking for audiences in the index of ids, which has all documents: with statistics of before it would.
  const parts = [
    mayNotSeeUnpublished
      ? sql.fragment`(d.audience IN (0, 2, 3)) IS TRUE AND d.published`
      : sql.fragment`(d.audience IN (0, 1, 3)) IS TRUE`,
    ...(repositories === 'all'
      ? []
      : [sql.fragment`(d.repo_id IS NULL OR d.repo_id = ANY(${sql.array([...repositories], 'int4')}))`]),
    ...(closed.length === 0
      ? []
      : [sql.fragment`(d.repo_id IS NULL OR d.repo_id <> ALL(${sql.array([...closed], 'int4')}))`]),
    ...(seesSuppressed === true
      ? []
      : seesSuppressed === false
        ? [sql.fragment`NOT d.suppressed`]
        : [sql.fragment`(NOT d.suppressed OR d.repo_id = ANY(${sql.array([...seesSuppressed], 'int4')}))`]),
  ];
  return sql.fragment`${sql.join(parts, sql.fragment` AND `)}`;
}

/** What follows from a predicate for short columns of a document of search_doc `d`, with what the caller may see: no vector is read to tell it. */
export function toColumnCondition(predicate: Predicate, visible: Fragment): Fragment {
  const { kinds, repositories } = readAskedColumns(predicate);
  const ids = repositories?.filter((id) => id !== null) ?? [];
  return sql.fragment`${sql.join(
    [
      ...(kinds === undefined ? [] : [sql.fragment`d.kind = ANY(${sql.array([...kinds], 'text')})`]),
      ...(repositories === undefined
        ? []
        : [
            sql.fragment`(d.repo_id = ANY(${sql.array(ids, 'int4')}) OR d.repo_id IS NULL AND ${repositories.includes(null)})`,
          ]),
      visible,
    ],
    sql.fragment` AND `,
  )}`;
}

/** A predicate with what the caller may see, as one condition. */
export const toWhole = (predicate: Predicate, expanded: ExpandedWords, visible: Fragment): Fragment =>
  isAll(predicate) ? visible : sql.fragment`${toCondition(predicate, expanded)} AND ${visible}`;

function isAll(predicate: Predicate): boolean {
  return predicate.kind === 'lexemes' && predicate.query.kind === 'every' && predicate.query.parts.length === 0;
}

// As columns are ordered by themselves; and as search_doc_uri_idx has addresses, whatever the order of texts is in the database.
const byOrder = { from: sql.fragment`>=`, after: sql.fragment`>`, upTo: sql.fragment`<=`, before: sql.fragment`<` };
const byBytes = {
  from: sql.fragment`~>=~`,
  after: sql.fragment`~>~`,
  upTo: sql.fragment`~<=~`,
  before: sql.fragment`~<~`,
};

function compare(predicate: Extract<Predicate, { kind: 'compare' }>): Fragment {
  const isTime =
    predicate.column === 'create_time' || predicate.column === 'user_mtime' || predicate.column === 'system_mtime';
  const column =
    predicate.column === 'inSorts'
      ? sql.fragment`(d.sorts->>${predicate.field}) COLLATE "C"`
      : sql.fragment`d.${sql.identifier([predicate.column])}`;
  const value = (bound: Bound) =>
    isTime ? sql.fragment`${bound.value}::timestamptz` : sql.fragment`${bound.value}::text`;
  const is = predicate.column === 'uri' || predicate.column === 'id' ? byBytes : byOrder;
  const ends = [
    ...(predicate.from === undefined
      ? []
      : [sql.fragment`${column} ${predicate.from.isIncluded ? is.from : is.after} ${value(predicate.from)}`]),
    ...(predicate.to === undefined
      ? []
      : [sql.fragment`${column} ${predicate.to.isIncluded ? is.upTo : is.before} ${value(predicate.to)}`]),
  ];
  return sql.fragment`(${sql.join(ends, sql.fragment` AND `)})`;
}
