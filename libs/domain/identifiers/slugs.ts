// Slugs of records (contract 6.16): when one is made, from what, and what follows for `is_slug_auto`. Off in a new installation, but for
// repositories, which always have one. Uniqueness over all kinds is the store's (libs/store/records/writing/naming.ts).
import type { JsonObject } from '../json.ts';
import { objectsOf, textOf } from '../json.ts';
import type { UniqueRule } from './unique-rule.ts';
import { lowerAscii } from '../text/fold.ts';
import { toSlug } from '../text/slug.ts';

/** Whether slugs are made, and from which property: the title or name, or the identifiers. `reserved` is for a record that is written next. */
export type SlugSettings = { readonly from: 'off' | 'title' | 'identifier'; readonly reserved?: string };

/** The name of the rule under which the slugs of all kinds are kept. */
export const slugRule = 'slug';

/** What a slug is compared by, with its ASCII letters in lower case: addresses are typed in any (db/migrations/0029_slugs_of_any_case.sql). */
export const slugKey = lowerAscii;

/** A slug without the numbers that tell it from others, such as `_1`. In one pass from its end: where slugs are off, clients send texts of any length. */
export function slugStem(slug: string): string {
  for (let end = slug.length; ;) {
    let at = end;
    while (at > 0 && /\d/.test(slug.charAt(at - 1))) at -= 1;
    if (at === end || slug.charAt(at - 1) !== '_') return slug.slice(0, end);
    end = at - 1;
  }
}

/** One slug for one record, whatever its kind and case. */
export const slugUniqueness: UniqueRule = {
  name: slugRule,
  within: 'everywhere',
  key: (body) => {
    const slug = textOf(body, 'slug');
    return slug === undefined || slug === '' ? null : slugKey(slug);
  },
  property: 'slug',
  says: 'Slug must be unique',
};

/** Slug and flag of a record before a number is added for uniqueness; `slug` undefined where it has none. */
export type SlugPlan = { readonly slug: string | undefined; readonly isAuto: boolean };

/**
 * The slug of a body. Off: what the client sent, as it is. On: made from the record where `is_slug_auto`, else the client's, cleaned; where
 * nothing is left, `is_slug_auto` is turned off.
 */
export function planSlug(body: JsonObject, label: string, settings: SlugSettings): SlugPlan {
  const isAuto = body['is_slug_auto'] !== false;
  const sent = textOf(body, 'slug');
  if (settings.from === 'off') return { slug: sent === '' ? undefined : sent, isAuto };
  const made = toSlug(isAuto ? sourceOf(body, label, settings.from) : (sent ?? ''));
  return made === '' ? { slug: undefined, isAuto: false } : { slug: made, isAuto };
}

const identifiers = ['component_id', 'digital_object_id', 'identifier', 'authority_id'] as const;

function sourceOf(body: JsonObject, label: string, from: 'title' | 'identifier'): string {
  const named = textOf(
    objectsOf(body, 'names').find((name) => name['is_display_name'] === true) ?? objectsOf(body, 'names')[0],
    'sort_name',
  );
  const title = named ?? textOf(body, 'title') ?? label;
  if (from === 'title') return title;
  const parts = ['id_0', 'id_1', 'id_2', 'id_3'].flatMap((part) => textOf(body, part) ?? []);
  const single = identifiers.flatMap((property) => textOf(body, property) ?? []).find((text) => text !== '');
  return parts.length > 0 ? parts.join('-') : (single ?? title);
}

/** The slugs to try in turn for a wanted one: itself, then with `_1`, `_2`… `from` is the number of the first. */
export function slugCandidates(wanted: string, from: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => (from + index === 0 ? wanted : `${wanted}_${from + index}`));
}
