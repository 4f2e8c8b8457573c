// The file of user names and hashes that --passwords names: CSV, or the dump of the table `auth_db` as mysqldump writes it. Who wrote it is not known:
// nothing of it is run or shown, and hashes are in no message.
import { readFile, stat } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { CliFailure } from '../failure.ts';

/** A user name and a hash, as the file has them. */
export type FilePassword = { readonly username: string; readonly hash: string };

const mostBytes = 100_000_000;
const mostUsers = 200_000;
const table = '(?:`?\\w+`?\\.)?`?auth_db`?';

/** Reads such a file. Fails where it is neither, or too large. */
export async function readPasswordFile(path: string, name: string): Promise<readonly FilePassword[]> {
  const about = await stat(path).catch(() => null);
  if (about?.isFile() !== true) throw new CliFailure(`${name} is no file that can be read.`);
  if (about.size > mostBytes) throw new CliFailure(`${name} is too large: dump the one table, mysqldump … auth_db.`);
  const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  const found = isCsv(text) ? readCsv(text, name) : readDump(text, name);
  if (found.length > mostUsers) throw new CliFailure(`${name} has more than ${mostUsers} users.`);
  return found;
}

const separators = /[,;\t]/;
const headOf = (text: string): string => /^\s*([^\r\n]*)/.exec(text)?.[1] ?? '';

/** Whether the first line names the column of users among others. What a statement names stands in parentheses. */
const isCsv = (text: string): boolean =>
  !headOf(text).includes('(') &&
  headOf(text)
    .split(separators)
    .some((column) => /^\s*"?username"?\s*$/i.test(column));

function readCsv(text: string, name: string): readonly FilePassword[] {
  const separator = separators.exec(headOf(text))?.[0] ?? ',';
  let rows: string[][];
  try {
    rows = parse(text, { delimiter: separator, relax_column_count: true, skip_empty_lines: true, trim: true });
  } catch {
    // The parser's words show what stands there.
    throw new CliFailure(`${name} is no CSV that can be read.`);
  }
  const [head = [], ...rest] = rows;
  const columns = head.map((column) => column.toLowerCase());
  const [username, hash] = [columns.indexOf('username'), columns.indexOf('pwhash')];
  if (username === -1 || hash === -1) throw new CliFailure(`${name} needs the columns username and pwhash.`);
  return rest.map((row) => ({ username: row[username] ?? '', hash: row[hash] ?? '' }));
}

function readDump(text: string, name: string): readonly FilePassword[] {
  const found: FilePassword[] = [];
  const inTable = columnsOfTable(text);
  // Statements begin their lines in what mysqldump writes; in a text between quotes no line ends, since that stands as \n there.
  const insert = new RegExp(`^INSERT\\s+(?:IGNORE\\s+)?INTO\\s+${table}\\s*(\\([^)]*\\))?\\s*VALUES\\s*`, 'gim');
  let isThere = false;
  for (const match of text.matchAll(insert)) {
    isThere = true;
    const columns = match[1] === undefined ? inTable : namesIn(match[1]);
    const [username, hash] = [columns.indexOf('username'), columns.indexOf('pwhash')];
    if (username === -1 || hash === -1)
      throw new CliFailure(
        `${name} does not name the columns of auth_db: dump it with CREATE TABLE, as mysqldump does.`,
      );
    for (const row of rowsFrom(text, match.index + match[0].length, name))
      found.push({ username: row[username] ?? '', hash: row[hash] ?? '' });
  }
  if (!isThere)
    throw new CliFailure(
      `${name} is neither a dump of the table auth_db nor CSV with the columns username and pwhash.`,
    );
  return found;
}

/** The columns of the table, in order, as its CREATE TABLE has them; none where that is missing. */
function columnsOfTable(text: string): readonly string[] {
  const start = new RegExp(`^CREATE\\s+TABLE\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?${table}\\s*\\(`, 'im').exec(text);
  if (start === null) return [];
  const from = start.index + start[0].length;
  const body = text.slice(from, from + 10_000);
  const lines = body.slice(0, Math.max(0, body.search(/^\s*\)/m))).split('\n');
  return lines.flatMap((line) => /^\s*`(\w+)`\s/.exec(line)?.[1]?.toLowerCase() ?? []);
}

const namesIn = (list: string): readonly string[] =>
  list
    .replace(/[()`\s]/g, '')
    .toLowerCase()
    .split(',');

const escapes: { readonly [letter: string]: string } = { n: '\n', r: '\r', t: '\t', 0: '\0', Z: '\u001a', b: '\b' };
// One value: a text between quotes (with \x and '' in it), or a bare word, then what ends it. Those of this table are short.
const value = /\s*(?:(?:_\w+\s*)?'((?:[^'\\]|\\[^]|''){0,2000})'|([^\s,()';]{1,2000}))\s*([,)])/y;

/** The rows of a statement from a place on: (…),(…),…; */
function* rowsFrom(text: string, from: number, name: string): Generator<readonly (string | null)[]> {
  let at = from;
  for (;;) {
    if (text[at] !== '(') throw broken(name, text, at);
    at += 1;
    const row: (string | null)[] = [];
    for (let isOpen = true; isOpen;) {
      value.lastIndex = at;
      const match = value.exec(text);
      if (match === null) throw broken(name, text, at);
      const [whole, quoted, bare, end] = match;
      row.push(quoted === undefined ? (bare === 'NULL' ? null : (bare ?? null)) : unescaped(quoted));
      at += whole.length;
      isOpen = end === ',';
    }
    yield row;
    const next = /\s*([,;])?\s*/y;
    next.lastIndex = at;
    const after = next.exec(text);
    at += after?.[0].length ?? 0;
    if (after?.[1] !== ',') return;
  }
}

const unescaped = (text: string): string =>
  text.replace(/\\([^])|''/g, (_, letter: string | undefined) =>
    letter === undefined ? "'" : (escapes[letter] ?? letter),
  );

/** Names the line, and nothing that stands there. */
const broken = (name: string, text: string, at: number): CliFailure =>
  new CliFailure(`${name}, line ${text.slice(0, at).split('\n').length}: that is no list of values.`);
