// Finding: what is typed is searched while it is typed. Words, filters, order and page stand in the address.
import type { JSX } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Json, JsonObject } from '../../../libs/domain/json.ts';
import { isObject, objectOf, objectsOf, textOf } from '../../../libs/domain/json.ts';
import { go, query, withQuery } from '../address.ts';
import { Fault, Instead, Waiting, useAsked } from '../asking.tsx';
import { chosenRepository, readRepositories, repositories } from '../repositories.ts';
import { NoRepository } from '../no-repository.tsx';
import { RepositoryChoice } from '../repository-choice.tsx';
import { may } from '../session.ts';
import { useTitle } from '../title.ts';
import { useTyped } from '../typed.ts';
import { number, t } from '../words.ts';
import { Facets, facetFields, filtersOf } from './facets.tsx';
import { NewRecord } from './new-record.tsx';
import { Results } from './results.tsx';
import { SearchField } from './search-field.tsx';

const pageSize = 20;
// What the rows show: the rest of a document is many times as much.
const fields =
  'id uri title primary_type level identifier four_part_id component_id dates publish suppressed repository'.split(' ');
const orders = ['title_sort asc', 'title_sort desc', 'user_mtime desc', 'create_time desc'] as const;
const orderWords = ['sort_title', 'sort_title_down', 'sort_changed', 'sort_made'] as const;

/** The view of the search. */
export function SearchView(): JSX.Element {
  const [fault, setFault] = useState<unknown>(null);
  const start = (): void => {
    setFault(null);
    readRepositories().catch(setFault);
  };
  useLayoutEffect(start, []);
  if (fault !== null || repositories.value === undefined)
    return <Instead title={t('nav_find')} fault={fault} again={start} />;
  if (repositories.value.length === 0 && !may('view_all_records', null))
    return (
      <>
        <h1 class="hidden">{t('nav_find')}</h1>
        <NoRepository />
      </>
    );
  return <Search repository={chosenRepository(false)} />;
}

function Search({ repository }: { readonly repository: string | null }): JSX.Element {
  const asked = query.value;
  const [typed, type] = useTyped('q');
  useTitle(typed === '' ? t('nav_find') : typed);
  const place = repository === null ? '/search' : `${repository}/search`;
  const whole = useAsked(place, toQuery(asked, asked.get('q') ?? ''));
  // Somebody who still types has not written the last word: where it is in no record, words that begin so are looked for.
  const begun = wordBegun(asked.get('q') ?? '');
  const isBegun = begun !== null && !whole.isWaiting && totalOf(whole.value) === 0;
  const more = useAsked(isBegun ? place : null, toQuery(asked, begun ?? ''));
  const found = isBegun && totalOf(more.value) > 0 ? more : whole;
  const page = isObject(found.value) ? found.value : undefined;
  const total = Number(page?.['total_hits'] ?? 0);
  return (
    <>
      <h1 class="hidden">{t('nav_find')}</h1>
      <search class="find">
        <SearchField typed={typed} onType={type} repository={repository} />
        <RepositoryChoice chosen={repository} all={may('view_all_records', null)} />
        <Order />
        <NewRecord repository={repository} />
      </search>
      <p class="count" role="status">
        {page === undefined ? '' : total === 1 ? t('found_one') : t('found', { count: total })}
      </p>
      {found.fault !== null && <Fault fault={found.fault} again={found.again} />}
      {isObject(whole.value) && <Hints page={whole.value} />}
      {page === undefined && found.isWaiting && <Waiting />}
      {page !== undefined && (
        <div class={found.isWaiting ? 'found is-waiting' : 'found'}>
          <Facets counts={objectOf(objectOf(page, 'facets'), 'facet_fields') ?? {}} isAll={repository === null} />
          <section aria-label={t('results')}>
            {/* Not in words of what is waited for: it was another query that found nothing. */}
            {total === 0 && !found.isWaiting && (
              <p class="empty">{t(asked.get('q') === null ? 'nothing_yet' : 'nothing_found')}</p>
            )}
            <Results rows={objectsOf(page, 'results')} isAll={repository === null} />
            <Pages page={page} />
          </section>
        </div>
      )}
    </>
  );
}

const totalOf = (value: Json | undefined): number => (isObject(value) ? Number(value['total_hits'] ?? 0) : -1);

/** The query with its last word as a beginning; null where it is no plain words, or ends with a space. */
const wordBegun = (q: string): string | null =>
  /^[\p{L}\p{N}\p{M}\s]*[\p{L}\p{N}\p{M}]{2}$/u.test(q) ? `${q}*` : null;

function toQuery(
  asked: URLSearchParams,
  q: string,
): { readonly [name: string]: string | number | boolean | readonly string[] } {
  return {
    q: q === '' ? '*' : q,
    page: Math.max(1, Number(asked.get('page')) || 1),
    page_size: pageSize,
    fields,
    facet: facetFields,
    facet_mincount: 1,
    filter_term: filtersOf(asked).map(({ field, value }) => JSON.stringify({ [field]: value })),
    paths: true,
    did_you_mean: true,
    ...(asked.get('sort') === null ? {} : { sort: asked.get('sort') ?? '' }),
  };
}

function Order(): JSX.Element {
  return (
    <label class="choice">
      <span>{t('sort')}</span>
      <select
        value={query.value.get('sort') ?? ''}
        onChange={(event) => go(withQuery({ sort: event.currentTarget.value }), true)}
      >
        <option value="">{t('sort_score')}</option>
        {orders.map((order, index) => (
          <option key={order} value={order}>
            {t(orderWords[index] ?? 'sort_title')}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Other spellings, and what could not be read of the query. */
function Hints({ page }: { readonly page: JsonObject }): JSX.Element {
  const spellings = objectsOf(page, 'did_you_mean').filter((each) => textOf(each, 'query') !== undefined);
  const warnings = objectsOf(page, 'warnings');
  return (
    <>
      {spellings.length > 0 && (
        <p class="hint">
          {t('did_you_mean')}{' '}
          {spellings.map((each) => (
            <a key={textOf(each, 'query')} href={withQuery({ q: textOf(each, 'query') ?? '' })}>
              <bdi>{textOf(each, 'query')}</bdi> ({countOf(each['total_hits'])})
            </a>
          ))}
        </p>
      )}
      {warnings.map((each) => (
        <p key={textOf(each, 'message')} class="hint">
          {/* Others tell that the answer is in part, and why. */}
          {typeof each['column'] === 'number' ? t('query_broken', { column: each['column'] }) : ''}{' '}
          {textOf(each, 'message')}
        </p>
      ))}
    </>
  );
}

const countOf = (value: Json | undefined): string => number(Number(value ?? 0));

function Pages({ page }: { readonly page: JsonObject }): JSX.Element | null {
  const [here, last] = [Number(page['this_page'] ?? 1), Number(page['last_page'] ?? 1)];
  if (last <= 1) return null;
  const to = (n: number): string => {
    const address = withQuery({});
    return `${address}${address.includes('?') ? '&' : '?'}page=${n}`;
  };
  return (
    <nav class="pages" aria-label={t('pages')}>
      {here > 1 && (
        <a rel="prev" href={to(here - 1)}>
          {t('previous')}
        </a>
      )}
      <span>{t('page_of', { page: here, last })}</span>
      {here < last && (
        <a rel="next" href={to(here + 1)}>
          {t('next')}
        </a>
      )}
    </nav>
  );
}
