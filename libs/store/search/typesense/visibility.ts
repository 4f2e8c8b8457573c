// What a caller may see, as a condition of Typesense; and what PostgreSQL knows to be hidden since.
import { z } from 'zod';
import { repository } from '#domain/kinds/repository.ts';
import type { Reader } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import type { Visibility } from '../port.ts';
import { readHidden } from '../postgres/hidden.ts';
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

const OpenRow = z.strictObject({ open: column.ints });

/**
 * What a caller may see by this server's documents, with what is hidden since as PostgreSQL knows it (postgres/hidden.ts): repositories that are not published
 * are left out. Null where records are hidden one by one that the server may not have heard of: there may be more than its conditions hold, so PostgreSQL answers.
 */
export async function toMirrored(reader: Reader, visibility: Visibility): Promise<Visibility | null> {
  const hidden = await readHidden(reader, visibility);
  if (hidden.records !== null) return null;
  const closed = hidden.repositories;
  if (closed.length === 0) return visibility;
  const { open } =
    visibility.repositories === 'all'
      ? await reader.one(sql.type(OpenRow)`SELECT ARRAY(SELECT id FROM record WHERE kind = ${repository.name}) AS open`)
      : { open: visibility.repositories };
  return { ...visibility, repositories: open.filter((id) => !closed.includes(id)) };
}
