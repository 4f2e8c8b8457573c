// The values that a write generates and pure code cannot make: random ids, and the publish default of a caller.
import { randomBytes } from 'node:crypto';
import type { Making } from '#domain/kind.ts';

/** New ids of 32 hexadecimal characters; the shipped preference `publish` is false. */
export const making: Making = { newHexId: () => randomBytes(16).toString('hex'), publishDefault: false };
