// Values of a form: records as JSON, changed without touching what was there, and what of two versions differs.
import type { Json, JsonObject } from '../../../libs/domain/json.ts';
import { isObject, textOf } from '../../../libs/domain/json.ts';

const steps = (path: string): readonly string[] => (path === '' ? [] : path.split('/'));

/** The value at a path (`dates/0/begin`); undefined where there is none. */
export function at(value: Json | undefined, path: string): Json | undefined {
  return steps(path).reduce<Json | undefined>((inner, step) => {
    if (Array.isArray(inner)) return inner[Number(step)];
    return isObject(inner) ? inner[step] : undefined;
  }, value);
}

/** The value with another one at a path; undefined takes it away. What is not on the path stays the same object. */
export function put(value: Json | undefined, path: string, next: Json | undefined): Json {
  const [step, ...rest] = steps(path);
  if (step === undefined) return next ?? null;
  const inner = rest.length === 0 ? next : put(at(value, step), rest.join('/'), next);
  if (Array.isArray(value)) return value.map((each: Json, index) => (index === Number(step) ? (inner ?? null) : each));
  const { [step]: _, ...others } = isObject(value) ? value : {};
  if (inner === undefined) return others;
  // The order of properties stays, so that equal records are equal texts.
  return isObject(value) ? { ...value, [step]: inner } : { [step]: inner };
}

/** In a link: what was typed to look for a record, while none is chosen. It stands in the value so that it goes where its entry goes. */
export const typedIn = '_typed';

// And what the form keeps in it.
const ofService = new Set([
  typedIn,
  '_resolved',
  'lock_version',
  'created_by',
  'last_modified_by',
  'create_time',
  'system_mtime',
  'user_mtime',
]);

/** A value as it is sent: without what the service keeps in it by itself, and without fields that are empty. */
export function bare(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(bare).filter((each) => each !== '' && each !== null);
  if (!isObject(value)) return value ?? null;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) =>
      ofService.has(name) || each === undefined || each === null || each === '' ? [] : [[name, bare(each)]],
    ),
  );
}

/** The paths of the links for which something was typed and nothing chosen: a save would lose it without a word. */
export function unchosenIn(value: Json | undefined, path = ''): readonly string[] {
  if (!isObject(value) && !Array.isArray(value)) return [];
  const isOpen = isObject(value) && value['ref'] === undefined && (textOf(value, typedIn) ?? '').trim() !== '';
  const within = Object.entries(value).flatMap(([step, each]) =>
    unchosenIn(each, path === '' ? step : `${path}/${step}`),
  );
  return isOpen ? [`${path}/ref`, ...within] : within;
}

/** The paths of the texts that no database stores (U+0000, as copied from broken files, and halves of characters): the service says of the whole body alone that it is wrong. */
export function unstorableIn(value: Json | undefined, path = ''): readonly string[] {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? [path] : [];
  if (!isObject(value) && !Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([step, each]) => unstorableIn(each, path === '' ? step : `${path}/${step}`));
}

/** Whether two values say the same. A list without entries says what none says. */
export const isSame = (left: Json | undefined, right: Json | undefined): boolean =>
  textOfValue(bare(left)) === textOfValue(bare(right));

const textOfValue = (value: Json): string =>
  JSON.stringify(value, (_name, each: Json) =>
    isObject(each) && !Array.isArray(each)
      ? Object.fromEntries(
          Object.entries(each)
            .filter(([, inner]) => !(Array.isArray(inner) && inner.length === 0))
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : each,
  ).replace(/^(?:null|\[\]|"")$/, '');

/** Whether a stored value says all that was said; the service may have added to it (defaults, identifiers of notes). */
export function contains(stored: Json | undefined, said: Json | undefined): boolean {
  if (Array.isArray(said) && said.length > 0)
    return (
      Array.isArray(stored) &&
      stored.length === said.length &&
      said.every((each: Json, index) => contains(stored[index], each))
    );
  if (!isObject(said)) return isSame(stored, said);
  const left = bare(said);
  return (
    isObject(left) && isObject(stored) && Object.entries(left).every(([name, each]) => contains(stored[name], each))
  );
}

/** The properties of `names` that differ between two versions. */
export const changedBetween = (names: readonly string[], before: JsonObject, after: JsonObject): readonly string[] =>
  names.filter((name) => !isSame(before[name], after[name]));

/** A JSON Merge Patch (RFC 7396) that makes the properties of `names` what they are in `after`; null takes one away. */
export function patchOf(names: readonly string[], before: JsonObject, after: JsonObject): JsonObject {
  return Object.fromEntries(
    changedBetween(names, before, after).map((name) => [name, mergeable(before[name], after[name])]),
  );
}

function mergeable(before: Json | undefined, after: Json | undefined): Json {
  const next = bare(after);
  if (next === '' || next === null) return Array.isArray(before) ? [] : null;
  if (!isObject(next) || Array.isArray(next)) return next;
  // Within an object everything that is no longer said must be taken away by name.
  const old = bare(before);
  if (!isObject(old) || Array.isArray(old)) return next;
  const gone = Object.keys(old).filter((name) => !(name in next));
  return {
    ...Object.fromEntries(Object.entries(next).map(([name, each]) => [name, mergeable(old[name], each)])),
    ...Object.fromEntries(gone.map((name) => [name, null])),
  };
}

/** The list with its entry at `from` moved to `to`. */
export const moved = (list: readonly Json[], from: number, to: number): readonly Json[] => {
  const others = list.filter((_, index) => index !== from);
  return [...others.slice(0, to), list[from] ?? null, ...others.slice(to)];
};
