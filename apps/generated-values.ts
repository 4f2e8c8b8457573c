// The values that a write generates and pure code cannot make: random ids, and the publish default of a caller.
import { randomBytes } from 'node:crypto';
import type { GeneratedValues } from '#domain/kind.ts';

/** New ids of 32 hexadecimal characters; the shipped preference `publish` is false. */
export const generatedValues: GeneratedValues = {
  newHexId: () => randomBytes(16).toString('hex'),
  publishDefault: false,
};
