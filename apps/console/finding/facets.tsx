// Narrowing a search: the values of some fields with how many records have them, as links that are the narrower search.
import type { JSX } from 'preact';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { query } from '../address.ts';
import { propertyName, typeName, valueName } from '../labels.ts';
import { repositoryName } from '../repositories.ts';
import { number, t } from '../words.ts';

/** Fields whose values are counted. */
export const facetFields = ['primary_type', 'repository', 'level', 'subjects', 'agents'] as const;
const mostShown = 8;
// On a phone they would stand before the results.
const isWide = matchMedia('(min-width: 46rem)').matches;

/** A field and the value that it must have. */
type Filter = { readonly field: string; readonly value: string };

/** The filters in an address: `f=level:file`. */
export const filtersOf = (asked: URLSearchParams): readonly Filter[] =>
  asked.getAll('f').flatMap((text) => {
    const at = text.indexOf(':');
    return at > 0 ? [{ field: text.slice(0, at), value: text.slice(at + 1) }] : [];
  });

/** The address with a filter more, or without it. */
function toggled({ field, value }: Filter): string {
  const text = `${field}:${value}`;
  const next = new URLSearchParams(query.value);
  const others = next.getAll('f').filter((each) => each !== text);
  const has = others.length !== next.getAll('f').length;
  next.delete('f');
  next.delete('page');
  for (const each of has ? others : [...others, text]) next.append('f', each);
  return `/console?${next.toString()}`;
}

function shownValue({ field, value }: Filter): string {
  if (field === 'primary_type') return typeName(value);
  if (field === 'repository') return value === 'global' ? t('of_all') : repositoryName(value);
  return valueName(field, value);
}

/** The filters in force, to take away, and the values to narrow by. */
export function Facets({ counts, isAll }: { readonly counts: JsonObject; readonly isAll: boolean }): JSX.Element {
  const filters = filtersOf(query.value);
  const isOn = (field: string, value: string): boolean =>
    filters.some((each) => each.field === field && each.value === value);
  const fields = facetFields.filter((field) => field !== 'repository' || isAll);
  return (
    <aside aria-label={t('narrow')}>
      {filters.length > 0 && (
        <ul class="filters" aria-label={t('filters')}>
          {filters.map((each) => (
            <li key={`${each.field}:${each.value}`}>
              <a href={toggled(each)} title={t('filter_off')}>
                <span class="soft">{propertyName(each.field)}:</span> <bdi>{shownValue(each)}</bdi>{' '}
                <span aria-hidden="true">×</span>
                <span class="hidden">{t('filter_off')}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <details class="narrow" open={isWide}>
        <summary>{t('narrow')}</summary>
        {fields.map((field) => {
          const values = pairs(counts[field]).filter(([value]) => !isOn(field, value));
          return values.length === 0 ? null : <Facet key={field} field={field} values={values} />;
        })}
      </details>
    </aside>
  );
}

function Facet({
  field,
  values,
}: {
  readonly field: string;
  readonly values: readonly (readonly [string, number])[];
}): JSX.Element {
  const line = ([value, count]: readonly [string, number]): JSX.Element => (
    <li key={value}>
      <a href={toggled({ field, value })}>
        <bdi>{shownValue({ field, value })}</bdi>
      </a>{' '}
      <span class="soft">{number(count)}</span>
    </li>
  );
  return (
    <details class="facet" open>
      <summary>{propertyName(field)}</summary>
      <ul>{values.slice(0, mostShown).map(line)}</ul>
      {values.length > mostShown && (
        <details>
          <summary>{t('more', { count: values.length - mostShown })}</summary>
          <ul>{values.slice(mostShown).map(line)}</ul>
        </details>
      )}
    </details>
  );
}

/** Values and counts, which stand in turn in the reply. */
function pairs(list: unknown): readonly (readonly [string, number])[] {
  if (!Array.isArray(list)) return [];
  const flat: readonly unknown[] = list;
  return flat.flatMap((value, index) =>
    index % 2 === 0 ? [[String(value), Number(flat[index + 1] ?? 0)] as const] : [],
  );
}
