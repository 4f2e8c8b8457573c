// `resolve` on JSON texts: the texts of linked records are put in beside refs as they are, each read, parsed and composed once for all
// requests while nothing changes (resolved-texts.ts). Gives what resolveRefs gives, as text, in pieces, since a record stands wherever it is
// named: nodes of a deep tree with all above them, each again with all above it, come to more than a text or the memory holds.
import { randomUUID } from 'node:crypto';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import type { Json } from '#domain/json.ts';
import type { Reader } from '../../connection/reader.ts';
import { LoopTurns } from '../../connection/loop-turns.ts';
import { readRecords } from './read.ts';
import type { ResolveViewer } from './resolve.ts';
import type { ResolveTree } from './resolve-tree.ts';
import { findRefs } from './resolve.ts';
import type { TextRef, Template } from './resolved-texts.ts';

// What stands for a record that is to come; inside a JSON string its quotes would be escaped.
const mark = randomUUID();
const cut = `,"_resolved":"${mark}"`;

/** Characters of a piece at least, but for the last. */
const pieceLength = 64_000;

/** The text of a record, or of an array of them, with the named refs resolved, in pieces that are put together as they are asked for. As many statements as resolveRefs at most, and one. */
export async function resolveTexts(
  reader: Reader,
  text: string,
  tree: ResolveTree,
  viewer: ResolveViewer,
): Promise<IteratorObject<string>> {
  const turns = new LoopTurns();
  const whole = templateOf(text, tree);
  if (whole.refs.length === 0) return whole.pieces.values();
  const generation = (await reader.resolved?.current()) ?? 0;
  const known = new Map<string, Template>();
  const seen = sightOf(viewer);
  let level = whole.refs;
  for (let depth = 0; level.length > 0 && depth < 16; depth++) {
    const next: TextRef[] = [];
    const take = (key: string, template: Template): void => {
      known.set(key, template);
      next.push(...template.refs);
    };
    const missing = new Map<string, TextRef>();
    const wanted = new Map<string, Set<number>>();
    for (const ref of level) {
      if (known.has(ref.key) || missing.has(ref.key)) continue;
      const address = parseUri(ref.uri);
      if (address === null || (address.repoId !== null && !viewer.mayView(address.repoId))) continue;
      const kept = reader.resolved?.find(`${seen} ${ref.key}`);
      if (kept !== undefined) {
        take(ref.key, kept);
        continue;
      }
      missing.set(ref.key, ref);
      wanted.set(address.kind, (wanted.get(address.kind) ?? new Set()).add(address.id));
    }
    const targets = await readRecords(reader, new Map([...wanted].map(([kind, ids]) => [kind, [...ids]])), {
      ...viewer,
      seesUse: false,
    });
    for (const [key, { uri, below }] of missing) {
      const target = targets.get(uri);
      if (target === undefined) continue;
      const template = templateOf(target.text, below);
      take(key, template);
      if (!hangsOnMore(target.row.kind)) reader.resolved?.keep(`${seen} ${key}`, template, generation);
      if (turns.isDue()) await turns.next();
    }
    level = next;
  }
  return inPieces(whole, known);
}

// All that decides what a viewer is shown of a record; whether of a repository anything is shown is asked for each ref.
const sightOf = ({ seesSuppressed, seesConfidential, seesPlain, seesSaves, release }: ResolveViewer): string =>
  `${seesSuppressed} ${seesConfidential === true} ${seesPlain === true} ${seesSaves !== false} ${release ?? ''}`;

// Replies of these kinds show what is set for a repository, which is in no change of a record.
const hangsOnMore = (kind: string): boolean => kindNamed(kind).show !== undefined;

function templateOf(text: string, tree: ResolveTree): Template {
  // Replies are our own JSON texts: objects, or arrays of them.
  const value: Json = JSON.parse(text);
  const found: Parameters<typeof findRefs>[2] = [];
  findRefs(value, tree, found);
  for (const { holder } of found) {
    // At the end, where it would stand if it were put in now.
    delete holder['_resolved'];
    holder['_resolved'] = mark;
  }
  const pieces = JSON.stringify(value).split(cut);
  if (pieces.length !== found.length + 1) throw new Error(`${found.length} refs in ${pieces.length} pieces`);
  return {
    pieces,
    refs: found.map(({ holder, below }) => {
      const uri = String(holder['ref']);
      return { uri, below, key: `${nameOf(below)} ${uri}` };
    }),
  };
}

const names = new WeakMap<ResolveTree, string>();

/** What is resolved below, as a text: the same for the same names. */
function nameOf(tree: ResolveTree): string {
  const known = names.get(tree);
  if (known !== undefined) return known;
  const name = JSON.stringify(tree);
  names.set(tree, name);
  return name;
}

function* inPieces(template: Template, known: ReadonlyMap<string, Template>): Generator<string> {
  let text = '';
  for (const part of partsOf(template, known)) {
    text += part;
    if (text.length < pieceLength) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

function* partsOf({ pieces, refs }: Template, known: ReadonlyMap<string, Template>): Generator<string> {
  yield pieces[0] ?? '';
  for (const [at, { key }] of refs.entries()) {
    const template = known.get(key);
    if (template !== undefined) {
      yield beside;
      yield* partsOf(template, known);
    }
    yield pieces[at + 1] ?? '';
  }
}

const beside = ',"_resolved":';
