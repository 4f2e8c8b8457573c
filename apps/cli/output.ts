// Where words go: results to standard output, notes and progress to standard error; with --json nothing but JSON on standard output.
import type { Json } from '#domain/json.ts';
import type { CliFailure } from './failure.ts';
import { toJson } from './failure.ts';

/** What a command writes to. Tests and main.ts give the streams of the process. */
export type Streams = { readonly stdout: NodeJS.WriteStream; readonly stderr: NodeJS.WriteStream };

/** The mouth of a command. */
export type Output = {
  readonly isJson: boolean;
  readonly stderr: NodeJS.WriteStream;
  /** A result: the value as one line of JSON, or the lines for people. */
  result(value: Json, lines: readonly string[]): void;
  /** A note for people on standard error; silent with --json. */
  note(line: string): void;
  /** Why the command failed, on standard error; with --json the object on standard output too. */
  failure(failure: CliFailure): void;
};

/** Makes the output of a command. */
export function makeOutput({ stdout, stderr }: Streams, isJson: boolean): Output {
  return {
    isJson,
    stderr,
    result: (value, lines) => {
      if (isJson) stdout.write(`${JSON.stringify(value)}\n`);
      else if (lines.length > 0) stdout.write(`${lines.join('\n')}\n`);
    },
    note: (line) => void (isJson || stderr.write(`${line}\n`)),
    failure: (failure) => {
      if (isJson) stdout.write(`${JSON.stringify(toJson(failure))}\n`);
      stderr.write(`${printable(failure.message)}\n`);
    },
  };
}

/** Text of a record for a terminal: without markup of mixed content, line breaks, and the control characters that terminals obey. */
export function shown(text: unknown): string {
  if (typeof text !== 'string') return '';
  const bare = text
    .replace(/<\/?[a-zA-Z][^<>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return printable(bare.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>'));
}

/** Text of several lines without the control characters that terminals obey. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}

/** Rows as aligned columns under their headings; the last column is as long as it is. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const all = [headings, ...rows];
  const widths = headings.map((_heading, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

/** A number with thousands apart: 12,345. */
export function count(value: number): string {
  return value.toLocaleString('en-GB');
}

/** Bytes in the unit that fits: 1.4 MB. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
