// Taking refs to deleted records out of the bodies that hold them, as the kind of the holder declares (contract 5.5).
import type { Kind, WhenTargetGoes } from '#domain/kind.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';

/** What the declaration of a holder says of a link property; a ref is dropped where it says nothing. */
export function ruleFor(holder: Kind, property: string): WhenTargetGoes {
  return holder.links?.[property]?.whenTargetGoes ?? 'drop_ref';
}

/**
 * A body without its refs to `gone` (uris) at a property path such as 'instances.sub_container.top_container'. With
 * 'drop_part' the first list element on the path that leads to such a ref goes as a whole. The body itself where nothing is found.
 */
export function pruneBody(
  body: JsonObject,
  property: string,
  gone: ReadonlySet<string>,
  rule: 'drop_ref' | 'drop_part',
): JsonObject {
  const [first, ...rest] = property.split('.');
  if (first === undefined) return body;
  const value = body[first];
  const pruned = pruneValue(value, rest, gone, rule, true);
  if (pruned === value) return body;
  if (pruned !== undefined) return { ...body, [first]: pruned };
  const { [first]: _, ...others } = body;
  return others;
}

/** Whether a value holds, at a path below it, a ref to one of the uris. */
export function leadsToGone(value: Json | undefined, path: readonly string[], gone: ReadonlySet<string>): boolean {
  if (Array.isArray(value)) return value.some((item) => leadsToGone(item, path, gone));
  const [first, ...rest] = path;
  if (first === undefined)
    return typeof value === 'string'
      ? gone.has(value)
      : isObject(value) && typeof value['ref'] === 'string' && gone.has(value['ref']);
  return isObject(value) && leadsToGone(value[first], rest, gone);
}

function pruneValue(
  value: Json | undefined,
  path: readonly string[],
  gone: ReadonlySet<string>,
  rule: 'drop_ref' | 'drop_part',
  top: boolean,
): Json | undefined {
  if (!leadsToGone(value, path, gone)) return value;
  if (Array.isArray(value)) {
    if (path.length === 0 || (rule === 'drop_part' && top))
      return value.filter((item) => !leadsToGone(item, path, gone));
    return value.map((item) => pruneValue(item, path, gone, rule, false)).filter((item) => item !== undefined);
  }
  const [first, ...rest] = path;
  if (first === undefined || !isObject(value)) return undefined;
  const inner = pruneValue(value[first], rest, gone, rule, false);
  if (inner !== undefined) return { ...value, [first]: inner };
  const { [first]: _, ...others } = value;
  return others;
}
