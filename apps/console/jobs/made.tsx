// What a job made or changed: how many records of which type, and the way into them.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { isObject, objectOf, objectsOf, textOf } from '../../../libs/domain/json.ts';
import { recordAddress } from '../address.ts';
import { Fault, useAsked } from '../asking.tsx';
import { typeName } from '../labels.ts';
import { Title } from '../markup.tsx';
import { Pager } from '../pager.tsx';
import { number, t } from '../words.ts';

const pageSize = 10;

/** The records, page by page; nothing where there are none. */
export function Made({ uri, job }: { readonly uri: string; readonly job: JsonObject }): JSX.Element | null {
  const [page, setPage] = useState(1);
  // Others have no such list.
  const isOfRepository = uri.startsWith('/repositories/');
  const { value, fault, again } = useAsked(isOfRepository ? `${uri}/records` : null, {
    page,
    page_size: pageSize,
    resolve: ['record'],
  });
  const rows = isObject(value) ? objectsOf(value, 'results').map((row) => objectOf(row, 'record') ?? {}) : [];
  const [total, last] = isObject(value) ? [Number(value['total'] ?? 0), Number(value['last_page'] ?? 1)] : [0, 1];
  if (fault !== null) return <Fault fault={fault} again={again} />;
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="made">
      <h2 id="made">{t('job_made', { count: total })}</h2>
      <Counts counts={objectOf(objectOf(job, 'result'), 'created') ?? {}} />
      <ul>
        {rows.map((row) => {
          const record = objectOf(row, '_resolved');
          return (
            <li key={textOf(row, 'ref')}>
              <a href={recordAddress(textOf(row, 'ref') ?? '')}>
                <Title text={textOf(record, 'display_string') ?? textOf(record, 'title') ?? textOf(row, 'ref')} />
              </a>{' '}
              <span class="soft">{typeName(textOf(record, 'jsonmodel_type') ?? '')}</span>
            </li>
          );
        })}
      </ul>
      <Pager label={t('job_made', { count: total })} page={page} last={last} onTurn={setPage} />
    </section>
  );
}

/** How many records of each type, the most first. */
function Counts({ counts }: { readonly counts: JsonObject }): JSX.Element | null {
  const all = Object.entries(counts).flatMap(([type, count]) => (typeof count === 'number' ? [{ type, count }] : []));
  if (all.length === 0) return null;
  return (
    <p class="facts">
      {all
        .toSorted((one, other) => other.count - one.count)
        .map(({ type, count }) => (
          <span key={type}>
            {typeName(type)}: {number(count)}
          </span>
        ))}
    </p>
  );
}
