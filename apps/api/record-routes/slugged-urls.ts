// Where a public interface shows a record by its slug (contract trees-and-jobs 1.2).
import { textOf } from '#domain/json.ts';
import type { TreeView } from '#store/trees/answers.ts';
import type { Services } from '../services.ts';

/** The `slugged_url` of records in trees; empty where slugs are off. Names of repositories stand in none. */
export function sluggedUrls({ config }: Pick<Services, 'config'>): NonNullable<TreeView['sluggedUrl']> {
  if (config.MUNIMENT_SLUGS === 'off') return () => '';
  return (kind, body) => {
    const slug = textOf(body, 'slug') ?? '';
    return slug === '' ? '' : `${config.MUNIMENT_PUBLIC_URL}/${kind.plural}/${slug}`;
  };
}
