// Conditions as Typesense's `filter_by` says them. There `&&` and `||` have the same rank and run from left to right, so every combination
// is in parentheses; values are tokens, which need no escaping, and stand in backticks all the same.

/** A condition. `in`: the field has one of the values (`isNot`: none of them); `number`: a comparison as it is written after the colon. */
export type Filter =
  | { readonly kind: 'everything' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'in'; readonly field: string; readonly values: readonly string[]; readonly isNot: boolean }
  | { readonly kind: 'number'; readonly field: string; readonly comparison: string }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] };

/** A condition that can be turned round as it stands. */
export type Leaf = Exclude<Filter, { kind: 'number' | 'and' | 'or' }>;

/** Every document. */
export const everything: Leaf = { kind: 'everything' };

/** No document. */
export const nothing: Leaf = { kind: 'nothing' };

/** Documents whose field has one of the values. */
export function oneOf(field: string, values: readonly string[]): Leaf {
  return values.length === 0 ? nothing : { kind: 'in', field, values: [...new Set(values)], isNot: false };
}

/** Documents whose numeric field compares as told: `>=5`, `[1,2]`, `true` for truth values. */
export function compares(field: string, comparison: string): Filter {
  return { kind: 'number', field, comparison };
}

/** Documents that fit all parts. Refusals of one field become one condition, as Typesense counts conditions. */
export function both(parts: readonly Filter[]): Filter {
  return combine('and', parts);
}

/** Documents that fit one part at least. Values of one field become one list. */
export function either(parts: readonly Filter[]): Filter {
  return combine('or', parts);
}

function combine(kind: 'and' | 'or', given: readonly Filter[]): Filter {
  const [empty, absorbing] = kind === 'and' ? [everything, nothing] : [nothing, everything];
  const parts = given
    .flatMap((part) => (part.kind === kind ? part.parts : [part]))
    .filter((part) => part.kind !== empty.kind);
  if (parts.some((part) => part.kind === absorbing.kind)) return absorbing;
  const merged = merge(parts, kind === 'and');
  const [only] = merged;
  return only === undefined ? empty : merged.length === 1 ? only : { kind, parts: merged };
}

/** Lists of one field put together: `a or b` of values, `not a and not b` of refusals. */
function merge(parts: readonly Filter[], mergesRefusals: boolean): readonly Filter[] {
  const lists = new Map<string, Set<string>>();
  const others: Filter[] = [];
  for (const part of parts) {
    if (part.kind === 'in' && part.isNot === mergesRefusals) {
      const list = lists.get(part.field) ?? new Set<string>();
      for (const value of part.values) list.add(value);
      lists.set(part.field, list);
    } else others.push(part);
  }
  return [
    ...[...lists].map(([field, values]): Filter => ({ kind: 'in', field, values: [...values], isNot: mergesRefusals })),
    ...others,
  ];
}

/** All that does not fit. */
export function opposite(filter: Leaf): Leaf {
  switch (filter.kind) {
    case 'everything':
      return nothing;
    case 'nothing':
      return everything;
    case 'in':
      return { ...filter, isNot: !filter.isNot };
  }
}

/** The text of a condition for `filter_by`; undefined for every document. */
export function printFilter(filter: Filter): string | undefined {
  return filter.kind === 'everything' ? undefined : print(filter);
}

// No document has this audience.
const impossible = 'audience:=-1';

function print(filter: Filter): string {
  switch (filter.kind) {
    case 'everything':
      return 'audience:>=0';
    case 'nothing':
      return impossible;
    case 'in': {
      const values = filter.values.map((value) => `\`${value}\``);
      return `${filter.field}:${filter.isNot ? '!=' : '='}${values.length === 1 ? values.join('') : `[${values.join(',')}]`}`;
    }
    case 'number':
      return `${filter.field}:${filter.comparison}`;
    case 'and':
    case 'or':
      return `(${filter.parts.map(print).join(filter.kind === 'and' ? ' && ' : ' || ')})`;
  }
}

/** How many operations Typesense counts in a condition: its parts and what joins them. */
export function operationsOf(filter: Filter): number {
  return filter.kind === 'and' || filter.kind === 'or'
    ? filter.parts.reduce((sum, part) => sum + operationsOf(part), filter.parts.length - 1)
    : 1;
}
