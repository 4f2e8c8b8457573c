// Whole outcomes as text that is kept beside the tests (`toMatchFileSnapshot`): JSON with a line for each entry of the outer levels, so that a
// difference shows what became different and nothing else.
import { join } from 'node:path';
import { expect } from 'vitest';

/** Compares a text with the file below test/fixtures in which it is kept. Fails where there is none; `npx vitest run <test> -u` writes it, to be read before it is committed. */
export const expectKept = async (text: string, path: string): Promise<void> =>
  expect(text).toMatchFileSnapshot(join(import.meta.dirname, '../fixtures', path));

/** A value as it is kept: entries of objects and lists stand on lines of their own down to `levels`. What JSON does not know is left out. */
export function keptText(value: unknown, levels = 2): string {
  return `${linesOf(JSON.parse(JSON.stringify(value)), levels, '')}\n`;
}

/** Whether a value is told in one line: a text or number, an empty object, a list of texts and numbers. */
function isShort(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return true;
  return Array.isArray(value) && value.every((item: unknown) => typeof item !== 'object' || item === null);
}

function linesOf(value: unknown, levels: number, indent: string): string {
  if (levels === 0 || isShort(value)) return JSON.stringify(value);
  const deeper = `${indent} `;
  const entries = Array.isArray(value)
    ? value.map((item: unknown) => deeper + linesOf(item, levels - 1, deeper))
    : Object.entries(value ?? {}).map(
        ([name, item]) => `${deeper}${JSON.stringify(name)}: ${linesOf(item, levels - 1, deeper)}`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${entries.join(',\n')}\n${indent}${close}`;
}
