// Bodies against the rows that are taken from them: every ref has its link row and every link row its ref, every unique key its row.
// Reads all records of all kinds, a block at a time.
import { z } from 'zod';
import { kindNamed, parseUri, uriOf } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { allKinds } from '#domain/kinds/index.ts';
import { keysOf } from '#domain/checking/split.ts';
import { storedRefs } from '#domain/checking/stored-refs.ts';
import { term } from '#domain/kinds/term.ts';
import { vocabulary } from '#domain/kinds/vocabulary.ts';
import type { Reader } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import type { Violation } from './invariant.ts';
import { mostExamples } from './invariant.ts';

const Row = z.strictObject({
  id: column.int,
  repo_id: column.maybeInt,
  body: column.text,
  root_id: column.maybeInt,
  parent_id: column.maybeInt,
});
type Row = z.infer<typeof Row>;
const LinkEnd = z.strictObject({
  source_id: column.int,
  property: column.text,
  target_kind: column.text,
  target_id: column.int,
  repo_id: column.maybeInt,
});
type LinkEnd = z.infer<typeof LinkEnd>;
const Key = z.strictObject({ id: column.int, rule: column.text, scope: column.text, value: column.text });
type Key = z.infer<typeof Key>;

const blockSize = 2000;

// Terms and vocabularies cannot be deleted; bodies repeat them from the terms that a client named in either of two ways.
const untold: ReadonlySet<string> = new Set([term.name, vocabulary.name]);

const says = {
  refs: 'refs in bodies without a link row',
  links: 'link rows without a ref in the body',
  keys: 'records that lack a row for a unique key of their body',
  rows: 'rows of unique keys that the body does not have',
} as const;

/** The violations found in the bodies of all records. */
export async function checkBodies(reader: Reader): Promise<readonly Violation[]> {
  const found = new Map<string, { count: number; readonly examples: string[] }>();
  const tell: Tell = (what, example) => {
    const place = found.get(says[what]) ?? { count: 0, examples: [] };
    place.count += 1;
    if (place.examples.length < mostExamples) place.examples.push(example);
    found.set(says[what], place);
  };
  for (const kind of allKinds) await checkKind(reader, kind, tell);
  return [...found].map(([what, { count, examples }]) => ({ says: what, count, examples }));
}

type Tell = (what: keyof typeof says, example: string) => void;

async function checkKind(reader: Reader, kind: Kind, tell: Tell): Promise<void> {
  for (let after = 0; ;) {
    const rows = await reader.any(sql.type(Row)`
      SELECT r.id, r.repo_id, r.body, t.root_id, t.parent_id FROM record r LEFT JOIN tree_node t ON t.repo_id = r.repo_id AND t.kind = ${kind.tree?.code ?? 0} AND t.id = r.id
      WHERE r.kind = ${kind.name} AND r.id > ${after} ORDER BY r.id LIMIT ${blockSize}`);
    const last = rows.at(-1);
    if (last === undefined) return;
    const ids = sql.array(
      rows.map((row) => row.id),
      'int4',
    );
    const links = await reader.any(sql.type(LinkEnd)`
      SELECT source_id, property, target_kind, target_id, repo_id FROM link WHERE source_kind = ${kind.name} AND source_id = ANY(${ids}) AND mutual IS NULL AND target_kind <> ALL(${sql.array([...untold], 'text')})`);
    const keys = await reader.any(sql.type(Key)`
      SELECT id, rule, scope, value FROM unique_key WHERE kind = ${kind.name} AND id = ANY(${ids})`);
    const [linksOf, keysOfId] = [byId(links, (link) => link.source_id), byId(keys, (key) => key.id)];
    for (const row of rows) {
      // Stored bodies are our own canonical text.
      const body: JsonObject = JSON.parse(row.body);
      compareRefs(kind, row, body, linksOf.get(row.id) ?? [], tell);
      compareKeys(kind, row, body, keysOfId.get(row.id) ?? [], tell);
    }
    after = last.id;
  }
}

function byId<T>(rows: readonly T[], idOf: (row: T) => number): ReadonlyMap<number, readonly T[]> {
  const found = new Map<number, T[]>();
  for (const row of rows) {
    const list = found.get(idOf(row));
    if (list === undefined) found.set(idOf(row), [row]);
    else list.push(row);
  }
  return found;
}

function compareRefs(kind: Kind, row: Row, body: JsonObject, links: readonly LinkEnd[], tell: Tell): void {
  const wanted = storedRefs(kind, body)
    .filter(({ uri }) => !untold.has(parseUri(uri)?.kind ?? ''))
    .map(({ property, uri }) => `${property} ${uri}`);
  const held = links.map((link) => {
    const target = kindNamed(link.target_kind);
    return `${link.property} ${uriOf(target, link.target_id, target.scope === 'repository' ? link.repo_id : null)}`;
  });
  for (const one of missingFrom(held, wanted)) tell('refs', `${uriOf(kind, row.id, row.repo_id)} ${one}`);
  for (const one of missingFrom(wanted, held))
    if (kind.properties[one.split(/[. ]/, 1)[0] ?? '']?.readonly !== true)
      tell('links', `${uriOf(kind, row.id, row.repo_id)} ${one}`);
}

function compareKeys(kind: Kind, row: Row, body: JsonObject, keys: readonly Key[], tell: Tell): void {
  const place =
    kind.tree === undefined || row.root_id === null
      ? null
      : {
          root: uriOf(kindNamed(kind.tree.root), row.root_id, row.repo_id),
          parent: row.parent_id === null ? null : uriOf(kind, row.parent_id, row.repo_id),
        };
  const wanted = [
    ...new Set(keysOf(kind, body, row.repo_id, place).map(({ rule, scope, value }) => `${rule} ${scope} ${value}`)),
  ];
  const held = keys.map(({ rule, scope, value }) => `${rule} ${scope} ${value}`);
  for (const one of missingFrom(held, wanted)) tell('keys', `${uriOf(kind, row.id, row.repo_id)} ${one}`);
  for (const one of missingFrom(wanted, held)) tell('rows', `${uriOf(kind, row.id, row.repo_id)} ${one}`);
}

/** What of `wanted` is not in `held`, each as often as it is wanted more. */
function missingFrom(held: readonly string[], wanted: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const one of held) left.set(one, (left.get(one) ?? 0) + 1);
  return wanted.filter((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count <= 0;
  });
}
