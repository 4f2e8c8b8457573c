// COPY text, read back by the rules of PostgreSQL's manual.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { copyLine, copyLineWithJson } from '#domain/batch-import/copy-text.ts';

/** What PostgreSQL reads from a line: split at tabs, \N is null, backslash escapes. */
function read(line: string): readonly (string | null)[] {
  return line
    .slice(0, -1)
    .split('\t')
    .map((field) =>
      field === '\\N'
        ? null
        : field.replace(/\\(.)/gs, (_, escaped: string) => ({ t: '\t', n: '\n', r: '\r' })[escaped] ?? escaped),
    );
}

test('any text comes back as it was, one line a row', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.option(
          fc.oneof(fc.string({ unit: fc.constantFrom('\\', '\t', '\n', '\r', 'N', '.', 'ü', '"') }), fc.string()),
        ),
        { minLength: 1 },
      ),
      (values) => {
        const line = copyLine(values);
        expect(line.indexOf('\n')).toBe(line.length - 1);
        expect(read(line)).toEqual(values);
      },
    ),
  );
});

test('numbers, flags and nulls have their forms', () => {
  expect(copyLine([1, -2.5, true, false, null, '', '\\N', '\\.'])).toBe('1\t-2.5\tt\tf\t\\N\t\t\\\\N\t\\\\.\n');
});

test('JSON text at the end of a line comes back as it was', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(read(copyLineWithJson(['a', null], text))).toEqual(['a', null, text]);
    }),
  );
});
