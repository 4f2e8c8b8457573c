// Archival Resource Keys of resources and archival objects (contract 6.15): which name a record bears after a save, what of a set of names
// is kept, and how names are compared. Pure: the number of a new name comes from libs/store/records/writing/naming.ts. Off in a new installation.
import { fail } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import { objectOf, textOf, textsOf } from '../json.ts';
import type { UniqueRule } from './unique-rule.ts';

/** The installation's naming: authority number, address in front of own names, what stands between shoulder and number. */
export type ArkSettings = {
  readonly isOn: boolean;
  readonly naan: string;
  readonly urlPrefix: string;
  readonly delimiter: string;
  readonly allowsExternal: boolean;
};

/** The names of a record as `ark_name` shows them; previous ones are own forms, newest first. */
export type ArkName = {
  readonly previous: readonly string[];
  readonly current?: string;
  readonly current_is_external?: boolean;
};

/** The name of the rule under which all names of all records are kept. */
export const arkRule = 'ark';

/** What names are compared by: from `ark:` on, so that the address in front does not count. */
export function arkKey(name: string): string {
  const start = name.indexOf('ark:');
  return start === -1 ? name : name.slice(start);
}

/** The names in a stored body, or null where it has none. */
export function arkNameOf(body: JsonObject | null): ArkName | null {
  const stored = objectOf(body ?? undefined, 'ark_name');
  if (stored === undefined) return null;
  const current = textOf(stored, 'current');
  return {
    previous: textsOf(stored, 'previous'),
    ...(current === undefined ? {} : { current, current_is_external: stored['current_is_external'] === true }),
  };
}

/** Names are unique over all records; which words say so depends on whose name it is. */
export const arkUniqueness: readonly UniqueRule[] = [
  {
    name: arkRule,
    within: 'everywhere',
    key: (body) => keysOf(body, true),
    property: 'external_ark_url',
    says: 'external_ark_collision',
  },
  { name: arkRule, within: 'everywhere', key: (body) => keysOf(body, false), property: 'ark', says: 'ark_collision' },
];

function keysOf(body: JsonObject, isExternal: boolean): readonly string[] | null {
  const name = arkNameOf(body);
  if (name === null) return null;
  const current =
    name.current === undefined || (name.current_is_external === true) !== isExternal ? [] : [name.current];
  const external = name.current_is_external === true && name.current !== undefined ? arkKey(name.current) : null;
  const keys = new Set(
    [...current, ...(isExternal ? [] : name.previous)].map(arkKey).filter((key) => isExternal || key !== external),
  );
  return [...keys];
}

/** The beginning of the names that a repository's records get now: `ark:/<naan>/<shoulder><delimiter>`. */
export function arkStem(settings: ArkSettings, shoulder: string | undefined): string {
  return `ark:/${settings.naan}/${shoulder === undefined || shoulder === '' ? '' : `${shoulder}${settings.delimiter}`}`;
}

const isOwn = (name: string, settings: ArkSettings): boolean => arkKey(name).startsWith(`ark:/${settings.naan}/`);
const isWhole = (name: string, settings: ArkSettings): boolean =>
  /^[^\s]+$/.test(arkKey(name).slice(`ark:/${settings.naan}/`.length));
const fits = (name: string, stem: string): boolean =>
  arkKey(name).startsWith(stem) && /^\d+$/.test(arkKey(name).slice(stem.length));
const shownOwn = (name: string, settings: ArkSettings): string =>
  `${settings.urlPrefix === '' ? '' : `${settings.urlPrefix.replace(/\/$/, '')}/`}${arkKey(name)}`;

/** What a save asks of names: those of the old body and of the body sent. `stem` is arkStem of the record's repository. */
export type ArkAsked = { readonly old: ArkName | null; readonly body: JsonObject; readonly stem: string };

/** Whether a save needs a number for a new name: no external name is asked for and no own one fits. */
export function needsNewArk({ old, body, stem }: ArkAsked, settings: ArkSettings): boolean {
  return (
    settings.isOn &&
    externalOf(body, settings) === undefined &&
    ownOf(old, body, settings).every((name) => !fits(name, stem))
  );
}

/**
 * The names after a save. Off: those of the old body stay. On: an external name that is sent is the current one; otherwise an own name that
 * fits the naming, an earlier one revived before a new one is made of `number`.
 */
export function arkAfterSave(asked: ArkAsked, settings: ArkSettings, number: number | null): ArkName | null {
  const { old, body, stem } = asked;
  if (!settings.isOn) return old;
  const own = ownOf(old, body, settings).map((name) => shownOwn(name, settings));
  const external = externalOf(body, settings);
  if (external !== undefined) return { previous: own, current: external, current_is_external: true };
  const current =
    own.find((name) => fits(name, stem)) ?? (number === null ? undefined : shownOwn(`${stem}${number}`, settings));
  return {
    previous: own.filter((name) => name !== current),
    ...(current === undefined ? {} : { current, current_is_external: false }),
  };
}

/** A body with the names after a save (null: none). Names to import are taken over and not kept; the list is shown empty, as any list (contract 6.15). */
export function withArkName(body: JsonObject, name: ArkName | null): JsonObject {
  const { import_current_ark: _, ...rest } = body;
  const external =
    textOf(body, 'external_ark_url') === undefined && name?.current_is_external === true
      ? { external_ark_url: name.current }
      : {};
  return { ...rest, ...external, import_previous_arks: [], ...(name === null ? {} : { ark_name: name }) };
}

function externalOf(body: JsonObject, settings: ArkSettings): string | undefined {
  if (!settings.allowsExternal) return undefined;
  const imported = textOf(body, 'import_current_ark');
  const sent =
    textOf(body, 'external_ark_url') ?? (imported !== undefined && !isOwn(imported, settings) ? imported : undefined);
  // Blanks are what a form leaves behind; the second record with them would be refused for the first.
  return sent?.trim() === '' ? undefined : sent;
}

function ownOf(old: ArkName | null, body: JsonObject, settings: ArkSettings): readonly string[] {
  const current = old?.current === undefined || old.current_is_external === true ? [] : [old.current];
  const imported = [textOf(body, 'import_current_ark') ?? '', ...textsOf(body, 'import_previous_arks')].filter((name) =>
    isOwn(name, settings),
  );
  return [...new Map([...imported, ...current, ...(old?.previous ?? [])].map((name) => [arkKey(name), name])).values()];
}

/**
 * What is kept of a set of names that replaces a record's own (POST …/ark_name): the current one as it is where it is flagged external,
 * is an own form, or external names are allowed; previous ones that are own forms. What was given under an earlier naming, and is the
 * record's own until now (`old`), is an own form still: what was read can be sent back. Null where nothing is left. Fails with
 * `invalid_record` where the current one is new, and has the authority number of this service and no name behind it, or blanks in it (a shoulder may have some).
 */
export function arkReplacement(sent: JsonObject, settings: ArkSettings, old: ArkName | null): ArkName | null {
  const held = new Set(ownOf(old, {}, settings).map(arkKey));
  const isOurs = (name: string): boolean => isOwn(name, settings) || held.has(arkKey(name));
  const given = textOf(sent, 'current');
  const isExternal = sent['current_is_external'] === true || (given !== undefined && !isOurs(given));
  const isKept =
    given !== undefined &&
    given !== '' &&
    (!isExternal || sent['current_is_external'] === true || settings.allowsExternal);
  if (isKept && !isExternal && !held.has(arkKey(given)) && isOwn(given, settings) && !isWhole(given, settings))
    throw fail('invalid_record', { ark: ['ark_format_error'] }, { warning: null, invalid_object: 'nil' });
  const previous = [
    ...new Set(
      textsOf(sent, 'previous')
        .filter((name) => isOurs(name) && (!isKept || arkKey(name) !== arkKey(given)))
        .map((name) => shownOwn(name, settings)),
    ),
  ];
  if (!isKept && previous.length === 0) return null;
  return {
    previous,
    ...(isKept ? { current: isExternal ? given : shownOwn(given, settings), current_is_external: isExternal } : {}),
  };
}
