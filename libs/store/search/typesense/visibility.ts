// What a caller may see, as a condition of Typesense; and what PostgreSQL knows to be hidden since.
import { textOf } from '#domain/json.ts';
import type { JsonObject } from '#domain/json.ts';
import { copiedUri } from '#domain/search/documents/public-copy.ts';
import type { Reader } from '../../connection/database.ts';
import { sql } from '../../connection/sql.ts';
import type { Visibility } from '../port.ts';
import { both, compares, either } from './filter.ts';
import type { Filter } from './filter.ts';

/** The numbers of audiences that conditions name (packed.ts): the public's own document, and one that is a copy to the public. */
export const audiences = { public: 2, shared: 3 } as const;

/** The condition that a caller may see a document. */
export function visibleFilter({ repositories, mayNotSeeUnpublished, seesSuppressed }: Visibility): Filter {
  const inRepositories = (ids: readonly number[]): Filter => compares('repo', `=[${ids.join(',')}]`);
  return both([
    ...(mayNotSeeUnpublished
      ? [compares('audience', `=[0,${audiences.public},${audiences.shared}]`), compares('published', '=true')]
      : [compares('audience', `=[0,1,${audiences.shared}]`)]),
    ...(repositories === 'all' ? [] : [inRepositories([0, ...repositories])]),
    ...(seesSuppressed === true
      ? []
      : [
          seesSuppressed === false || seesSuppressed.length === 0
            ? compares('suppressed', '=false')
            : either([compares('suppressed', '=false'), inRepositories(seesSuppressed)]),
        ]),
  ]);
}

/**
 * Documents without those of records that were suppressed a moment ago: PostgreSQL marks them in the transaction that suppresses, this index
 * hears of it with the next batch. Totals and counts follow then.
 */
export async function withoutSuppressed(
  reader: Reader,
  documents: readonly JsonObject[],
  { seesSuppressed }: Visibility,
): Promise<readonly JsonObject[]> {
  if (seesSuppressed === true || documents.length === 0) return documents;
  const uriOf = (document: JsonObject): string => {
    const id = textOf(document, 'doc_id') ?? '';
    return copiedUri(id) ?? id;
  };
  const seen = seesSuppressed === false ? [] : seesSuppressed;
  const rows = await reader.any<{ uri: string }>(sql`
    SELECT DISTINCT uri FROM search_doc WHERE uri = ANY(${sql.array(documents.map(uriOf), 'text')}) AND suppressed AND (repo_id IS NULL OR repo_id <> ALL(${sql.array([...seen], 'int4')}))`);
  const hidden = new Set(rows.map(({ uri }) => uri));
  return documents.filter((document) => !hidden.has(uriOf(document)));
}
