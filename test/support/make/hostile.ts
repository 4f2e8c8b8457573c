// Hostile values and mutations of bodies for tests of bad input: what a fuzzer, a broken client or an attacker sends.
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';

/** Values that break naive code, by name. Each call makes them anew; some are large. */
export const hostileValues: { readonly [name: string]: () => Json } = {
  nul: () => 'a\u0000b',
  'lone surrogate': () => 'a\ud800b',
  'low surrogate': () => '\udc00',
  emoji: () => '😀👨‍👩‍👧‍👦🏳️‍🌈',
  'right to left': () => '\u202eevil\u202c \ufeff \u200b',
  'control characters': () => '\u0001\u0007\u001b[31m\u007f\u0085\u2028',
  'very long text': () => 'x'.repeat(300_000),
  'long combining text': () => 'é\u0301'.repeat(40_000),
  quotes: () => `'";--\\ {"jsonmodel_type":"x","lock_version":0} \${x} %s %n {{x}} <script>`,
  'deep array': () => '@deep array',
  'deep object': () => '@deep object',
  'many elements': () => Array.from({ length: 100_000 }, (_, index) => index),
  'many objects': () => Array.from({ length: 2000 }, () => ({ ref: '/subjects/1' })),
  'many keys': () => Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, index])),
  'prototype key': () =>
    JSON.parse(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"ref":"/subjects/1","toString":1}',
    ),
  'prototype word': () => '__proto__',
  'huge number': () => 1e308,
  'unsafe integer': () => 2 ** 53 + 2,
  'beyond int4': () => 2_147_483_648,
  'beyond int8': () => 1e20,
  negative: () => -1,
  fraction: () => 0.1,
  'minus zero': () => -0,
  true: () => true,
  null: () => null,
  'empty text': () => '',
  blank: () => '   ',
  'empty object': () => ({}),
  'empty list': () => [],
  'list of lists': () => [[[]], [null], ['']],
  'list of nulls': () => [null, null],
  'uri beyond int4': () => '/subjects/99999999999',
  'uri of nobody': () => '/subjects/2147483647',
  'uri of another repository': () => '/repositories/1/accessions/1',
  'uri with tricks': () => "/subjects/1' OR 1=1 --",
  'uri of a path': () => '/repositories/2/../../etc/passwd',
  'ref to nobody': () => ({ ref: '/agents/people/2147483647', role: 'creator' }),
  'ref to a list': () => ({ ref: ['/subjects/1'] }),
  'impossible date': () => '2020-02-31',
  'far date': () => '999999999-01-01',
  'year zero': () => '0000-00-00',
  'date with a huge offset': () => '2020-01-01T00:00:00+99:99',
};

const levels = 20_000;

/** The JSON text of a body with hostile values in it. Those that are too deep for JSON.stringify come in here. */
export function hostileText(body: Json): string {
  return JSON.stringify(body)
    .replaceAll('"@deep array"', '['.repeat(levels) + ']'.repeat(levels))
    .replaceAll('"@deep object"', '{"subnotes":['.repeat(levels) + ']}'.repeat(levels));
}

/** A body with one to three of its values replaced by hostile ones, and now and then an unknown or doubled property. */
export function mutated(body: JsonObject, random: () => number): { readonly body: JsonObject; readonly what: string } {
  const names = Object.keys(hostileValues);
  const changes: string[] = [];
  let changed: Json = body;
  for (let count = 1 + Math.floor(random() * 3); count > 0; count -= 1) {
    const name = names[Math.floor(random() * names.length)] ?? 'nul';
    const paths = pathsOf(changed);
    const path = paths[Math.floor(random() * paths.length)] ?? [];
    changes.push(`${path.join('/')} = ${name}`);
    changed = replaced(changed, path, hostileValues[name]?.() ?? null);
  }
  return { body: isObject(changed) ? changed : body, what: changes.join(', ') };
}

/** The paths of all values in a body, the outermost 500, so that large hostile values are not searched. */
function pathsOf(value: Json, at: readonly string[] = [], found: string[][] = []): readonly (readonly string[])[] {
  if (found.length > 500 || at.length > 12 || typeof value !== 'object' || value === null) return found;
  for (const [key, item] of Object.entries(value)) {
    if (found.length > 500) break;
    found.push([...at, key]);
    pathsOf(item ?? null, [...at, key], found);
  }
  return found;
}

function replaced(value: Json, path: readonly string[], by: Json): Json {
  const [first, ...rest] = path;
  if (first === undefined) return by;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === first ? replaced(item, rest, by) : item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === first ? replaced(item ?? null, rest, by) : item]),
  );
}

/** Bytes of no meaning: random, broken UTF-8, JSON cut off, numbers beyond all bounds, brackets without end. */
export function hostileBytes(random: () => number): Uint8Array {
  const texts = [
    '',
    ' ',
    'null',
    '[]',
    '"x"',
    '5',
    '{',
    '{"a":',
    '{"a":1,}',
    "{'a':1}",
    'NaN',
    '{"a":1e999}',
    '{"id_0":"a"}{"id_0":"b"}',
    '{"title":"\\ud800"}',
    '{"title":"\\u00"}',
    '['.repeat(50_000),
    '{"a":'.repeat(50_000),
    '{"lock_version":"0x10"}',
    '\u0000',
    '[{"__proto__":null}]',
    `{"title":"${'\\n'.repeat(50_000)}"}`,
  ];
  const choice = Math.floor(random() * (texts.length + 8));
  const text = texts[choice];
  if (text !== undefined) return new TextEncoder().encode(text);
  return Uint8Array.from({ length: Math.floor(random() * 400) }, () => Math.floor(random() * 256));
}
