// The other way of links: the records that name this one, where the search knows by which field they do.
import type { JSX } from 'preact';
import { isObject, objectsOf } from '../../../libs/domain/json.ts';
import { Fault, useAsked } from '../asking.tsx';
import { Results } from '../finding/results.tsx';
import { may } from '../session.ts';
import { t } from '../words.ts';

const fields: readonly (readonly [uri: RegExp, field: string])[] = [
  [/^\/agents\//, 'agent_uris'],
  [/^\/subjects\//, 'subject_uris'],
  [/\/top_containers\/\d+$/, 'top_container_uri_u_sstr'],
  [/\/digital_objects\/\d+$/, 'digital_object_uris'],
  [/\/classifications\/\d+$/, 'classification_uris'],
  [/\/accessions\/\d+$/, 'related_accession_uris'],
  [/\/resources\/\d+$/, 'related_resource_uris'],
];
const mostShown = 10;

/** The first records that name the one of this uri, and the way to all of them. */
export function NamedBy({ uri }: { readonly uri: string }): JSX.Element | null {
  const field = fields.find(([pattern]) => pattern.test(uri))?.[1];
  const repository = /^\/repositories\/\d+/.exec(uri)?.[0];
  const place = repository ?? (may('view_all_records', null) ? '' : undefined);
  const isAsked = field !== undefined && place !== undefined;
  const { value, fault, again } = useAsked(isAsked ? `${place}/search` : null, {
    q: '*',
    page: 1,
    page_size: mostShown,
    paths: true,
    fields: ['id', 'uri', 'title', 'primary_type', 'level', 'identifier', 'dates', 'publish', 'repository'],
    filter_term: [JSON.stringify({ [field ?? '']: uri })],
  });
  const rows = isObject(value) ? objectsOf(value, 'results') : [];
  const total = isObject(value) ? Number(value['total_hits'] ?? 0) : 0;
  if (fault !== null) return <Fault fault={fault} again={again} />;
  if (rows.length === 0) return null;
  return (
    <section class="named-by" aria-labelledby="named-by">
      <h2 id="named-by">{t('named_by', { count: total })}</h2>
      <Results rows={rows} isAll={repository === undefined} />
      {total > rows.length && (
        <a
          href={`/console?${new URLSearchParams({ ...(repository === undefined ? {} : { repo: repository }), f: `${field}:${uri}` }).toString()}`}
        >
          {t('show_all')}
        </a>
      )}
    </section>
  );
}
