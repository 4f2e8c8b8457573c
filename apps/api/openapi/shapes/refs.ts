// References between records, with what `resolve` embeds.
import { shape } from '../shape.ts';
import type { Shape } from '../shape.ts';

/** `{ref}` with the record itself under `_resolved` where that was asked for: one of the kinds, or any. */
export function refOf(...kinds: readonly string[]): Shape {
  const [only] = kinds;
  const resolved =
    only === undefined
      ? shape.anyObject
      : kinds.length === 1
        ? shape.record(only)
        : shape.anyOf(...kinds.map((kind) => shape.record(kind)));
  return shape.object({ ref: shape.uri }, { _resolved: resolved });
}
