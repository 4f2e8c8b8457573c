// Which lines of the product run in this isolate (process or thread), as V8 counts them.
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import type { Profiler } from 'node:inspector';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Lines from 1, by path from the root. */
export type Lines = { readonly [path: string]: readonly number[] };

const root = join(import.meta.dirname, '..', '..', '..');
const texts = new Map<string, string>();
let session: Session | null = null;

/** Begins to count; a second call does nothing. */
export function startRecording(): void {
  if (session !== null) return;
  session = new Session();
  session.connect();
  session.post('Profiler.enable');
  // With counts, which are set back each time they are taken; without, a function is told of once and never again.
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
}

/** The lines that ran since the last call. */
export function takeLines(): Lines {
  let found: readonly Profiler.ScriptCoverage[] = [];
  session?.post('Profiler.takePreciseCoverage', (_, { result }) => {
    found = result;
  });
  const rootUrl = `${pathToFileURL(root).href}/`;
  const own = found.filter(({ url }) => url.startsWith(rootUrl) && /^(?:libs|apps)\//.test(url.slice(rootUrl.length)));
  return Object.fromEntries(
    own.flatMap(({ url, functions }) => {
      const path = url.slice(rootUrl.length);
      const lines = linesOf(functions, textOf(path));
      return lines.length === 0 ? [] : [[path, lines]];
    }),
  );
}

/**
 * The lines within functions that ran. What a module does when it is imported does not count: that happens once in a process, for whichever
 * test is the first.
 */
export function linesOf(functions: readonly Profiler.FunctionCoverage[], text: string): readonly number[] {
  const within = functions
    .flatMap(({ ranges }) => ranges)
    .filter(({ startOffset, endOffset }) => startOffset > 0 || endOffset < text.length);
  if (!within.some(({ count }) => count > 0)) return [];
  const hasRun = new Uint8Array(text.length);
  // Outer ranges come before inner ones, which say more.
  for (const { startOffset, endOffset, count } of within) hasRun.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  const lines: number[] = [];
  // From one character that ran to the next, and not line by line: of most files little runs, and a thread looks again and again.
  let line = 1;
  let passed = 0;
  for (let at = hasRun.indexOf(1); at >= 0; at = hasRun.indexOf(1, at)) {
    for (let end = text.indexOf('\n', passed); end >= 0 && end < at; end = text.indexOf('\n', passed)) {
      line += 1;
      passed = end + 1;
    }
    if (isBlank(text.charCodeAt(at))) {
      at += 1;
      continue;
    }
    lines.push(line);
    const end = text.indexOf('\n', at);
    if (end < 0) break;
    at = end + 1;
  }
  return lines;
}

const isBlank = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);

function textOf(path: string): string {
  const text = texts.get(path) ?? readFileSync(join(root, path), 'utf8');
  texts.set(path, text);
  return text;
}
