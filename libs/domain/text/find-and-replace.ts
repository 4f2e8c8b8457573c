// Finding and replacing as the job of that name understands it (contract trees-and-jobs 3.6): a literal text, or a regular expression
// between slashes, whose replacement may use what its groups found.
import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import { fail } from '../errors.ts';

/** Replaces all occurrences in a text. */
export type Replacer = (text: string) => string;

const delimited = /^\/([\s\S]+)\/$/;

/** Makes the replacer. In replacements of regular expressions `\1` to `\9` and `\0` stand for groups and the whole. Fails with `bad_parameter` for an expression that is none. */
export function makeReplacer(find: string, replace: string): Replacer {
  const expression = delimited.exec(find)?.[1];
  if (expression === undefined) return (text) => text.replaceAll(find, () => replace);
  const pattern = compiled(expression);
  return (text) =>
    text.replace(pattern, (...found: readonly unknown[]) => {
      const groups = groupsOf(found);
      return replace.replace(/\\(\\|[0-9])/g, (_, what: string) =>
        what === '\\' ? '\\' : (groups[Number(what)] ?? ''),
      );
    });
}

function compiled(expression: string): RegExp {
  try {
    return new RegExp(expression, 'gu');
  } catch {
    // Expressions with escapes that the strict form refuses, such as `\-` outside a class.
    try {
      return new RegExp(expression, 'g');
    } catch (error) {
      throw fail('bad_parameter', {
        find: [`Is no regular expression: ${error instanceof Error ? error.message : ''}`],
      });
    }
  }
}

/** The whole match and its groups, of which one that took no part is undefined. Behind the last one comes the offset, a number, and then all of the text. */
function groupsOf(found: readonly unknown[]): readonly (string | undefined)[] {
  const end = found.findIndex((each) => typeof each === 'number');
  return found.slice(0, end).map((group) => (typeof group === 'string' ? group : undefined));
}

/** Where to replace: in a property of the record itself (`type` null), or of its parts that say this `jsonmodel_type`. */
export type ReplaceTarget = { readonly type: string | null; readonly property: string };

/** The body with replaced texts; the same object where nothing was found. */
export function replaceIn(body: JsonObject, target: ReplaceTarget, replacer: Replacer): JsonObject {
  if (target.type === null) return withReplaced(body, target.property, replacer);
  return mapped(body, target, replacer, target.type);
}

/** The texts at the places where it is replaced, in the order in which replaceIn comes to them. */
export function textsIn(body: JsonObject, target: ReplaceTarget): readonly string[] {
  const texts: string[] = [];
  replaceIn(body, target, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

/** The body with these texts at those places, of which it has as many: what replaceIn made of it, by what textsIn gave of that. */
export function withTexts(body: JsonObject, target: ReplaceTarget, texts: readonly string[]): JsonObject {
  const next = texts.values();
  return replaceIn(body, target, (text) => next.next().value ?? text);
}

function withReplaced(object: JsonObject, property: string, replacer: Replacer): JsonObject {
  const old = object[property];
  if (typeof old !== 'string') return object;
  const text = replacer(old);
  return text === old ? object : { ...object, [property]: text };
}

function mapped(object: JsonObject, target: ReplaceTarget, replacer: Replacer, type: string): JsonObject {
  let changed: { [property: string]: Json | undefined } | null = null;
  for (const [property, value] of Object.entries(object)) {
    const next = mappedValue(value, target, replacer, type);
    if (next !== value) (changed ??= { ...object })[property] = next;
  }
  const whole = changed ?? object;
  return object['jsonmodel_type'] === type ? withReplaced(whole, target.property, replacer) : whole;
}

function mappedValue(
  value: Json | undefined,
  target: ReplaceTarget,
  replacer: Replacer,
  type: string,
): Json | undefined {
  if (Array.isArray(value)) {
    const items = value.map((item) => mappedValue(item, target, replacer, type) ?? null);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  return isObject(value) ? mapped(value, target, replacer, type) : value;
}
