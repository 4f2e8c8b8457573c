// Links that both sides write, as the far side shows them: a parent there is a child here (contract 3.3). SQL marks them, and the kind says what their properties are from there.
import type { JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';

/** The text of computed properties with the marked links turned round: the other relator of a pair. Costs nothing where none is marked. */
export function withInverseRelators(kind: Kind, text: string): string {
  return text.includes('"_far":true') ? invertRelators(kind, text) : text;
}

function invertRelators(kind: Kind, text: string): string {
  const parsed: unknown = JSON.parse(`{${text.slice(0, -1)}}`);
  if (!isObject(parsed)) return text;
  const inverted = Object.entries(parsed).map(([property, value]) => {
    const mutual = kind.mutual?.[property];
    if (mutual === undefined || !Array.isArray(value)) return [property, value];
    return [
      property,
      value.map((item) => (isObject(item) && item['_far'] === true ? invertOne(mutual.inverse, item) : item)),
    ];
  });
  return `${JSON.stringify(Object.fromEntries(inverted)).slice(1, -1)},`;
}

function invertOne(inverse: ((ref: JsonObject) => JsonObject) | undefined, ref: JsonObject): JsonObject {
  const { _far: _, ...own } = ref;
  return inverse === undefined ? own : inverse(own);
}
