// Thread task of finding and replacing: a regular expression that a client wrote may run for ever, and a thread can be ended.
import type { JsonObject } from '../json.ts';
import type { ReplaceTarget } from './find-and-replace.ts';
import { makeReplacer, replaceIn } from './find-and-replace.ts';

/** Stored bodies by id, and what to replace in them. */
export type ReplaceWork = {
  readonly bodies: readonly (readonly [number, string])[];
  readonly find: string;
  readonly replace: string;
  readonly target: ReplaceTarget;
};

/** The new texts of the bodies in which something was replaced. */
export function replaceInBodies({
  bodies,
  find,
  replace,
  target,
}: ReplaceWork): readonly (readonly [number, string])[] {
  const replacer = makeReplacer(find, replace);
  return bodies.flatMap(([id, text]) => {
    // Stored bodies are our own canonical text.
    const body: JsonObject = JSON.parse(text);
    const replaced = replaceIn(body, target, replacer);
    return replaced === body ? [] : [[id, JSON.stringify(replaced)] as const];
  });
}
