// The project's own source files, read once, and what the checks need to know of each.
import { globSync, readFileSync } from 'node:fs';

/** A source file: path from the project root with '/', its text, and its text without comments. */
export type SourceFile = {
  readonly path: string;
  readonly text: string;
  readonly code: string;
  readonly lines: number;
};

/** What is wrong, in a line a person can act on. */
export type Problem = string;

const folders = ['apps', 'libs', 'scripts', 'test'];

/** Reads the TypeScript files of the project, sorted by path. */
export function readTree(root: string): readonly SourceFile[] {
  const paths = folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx,mts,mjs}`, { cwd: root }))
    .map((path) => path.replaceAll('\\', '/'));
  return paths.sort().map((path) => sourceFile(path, readFileSync(`${root}/${path}`, 'utf8')));
}

/** A file as the checks see it. */
export function sourceFile(path: string, text: string): SourceFile {
  return { path, text, code: withoutComments(text), lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0) };
}

// Strings, templates and regular expressions are matched first, so that what looks like a comment in them stays.
const tokens = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

/** The text with comments as blanks of the same length and lines. */
function withoutComments(text: string): string {
  return text.replace(tokens, (token) => (token.startsWith('/') ? token.replace(/[^\n]/g, ' ') : token));
}

/** Code with the contents of strings blanked as well, for checks that look for names. */
export function withoutStrings(code: string): string {
  return code.replace(tokens, (token) => token.replace(/[^\n]/g, ' '));
}

const specifiers =
  /(?:^|[\s;])(?:import|export)\s(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

/** The module names that a file imports, dynamic imports included. */
export function importsOf(file: SourceFile): readonly string[] {
  return [...file.code.matchAll(specifiers)].map((match) => match[1] ?? match[2] ?? '').filter((name) => name !== '');
}

/** The package of a module name ('pg', '@fastify/multipart'), or null for files and parts of Node. */
export function packageOf(specifier: string): string | null {
  if (/^[.#/]|^node:/.test(specifier)) return null;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** The area of a path or import: 'libs/domain', 'libs/store', 'apps/api', 'test'…; 'apps' for what stands beside the apps. */
export function areaOf(path: string): string {
  const [first = '', second = '', third] = path.split('/');
  if (third === undefined) return first;
  return first === 'libs' || first === 'apps' ? `${first}/${second}` : first;
}

/** The path a file's import leads to, from the project root; null for packages and Node. */
export function targetOf(file: SourceFile, specifier: string): string | null {
  const mapped = specifier
    .replace(/^#client\//, 'libs/client/')
    .replace(/^#domain\//, 'libs/domain/')
    .replace(/^#migrate\//, 'libs/migrate/')
    .replace(/^#store\//, 'libs/store/')
    .replace(/^#test\//, 'test/');
  if (mapped !== specifier) return mapped;
  if (!specifier.startsWith('.')) return null;
  const steps = file.path.split('/').slice(0, -1);
  for (const step of specifier.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.') steps.push(step);
  }
  return steps.join('/');
}
