// First pass over a block of a batch import: tells what is in it. Records that may exist already are checked and their keys worked
// out; of the others only the uri and the kind are read.
import { Failure } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { Kind } from '../kind.ts';
import type { KeyRow } from '../rules/split.ts';
import { keysOf } from '../rules/split.ts';
import type { PrepareContext } from '../rules/context.ts';
import type { BlockContext, Numbered } from './block.ts';
import { checked, kindOf, numberedRecords, preparingOf } from './block.ts';
import type { KnownTerms, TermSeen } from './terms.ts';
import { termKeyText, termOf, termUrisIn, termsIn, withTerms } from './terms.ts';
import { hashUri, hashWords } from './uri-table.ts';

/** What is in a block. Two records of one uri have the same hash. */
export type BlockIndex = {
  /** Hash of each record's uri: `hashWords` words a record. */
  readonly hashes: Uint32Array;
  /** Number of each record's kind in `kindNames`, or `noKind`. */
  readonly kinds: Uint16Array;
  /** Records, by index in the block, that stand for an equal one: the texts of their keys in the uri table. */
  readonly keyed: readonly { readonly index: number; readonly keys: readonly string[] }[];
  /** Terms named in the block, each once. */
  readonly terms: readonly TermSeen[];
  /** Uris of terms whose contents are needed and not among the known: read them and ask again. */
  readonly termUris: readonly string[];
};

/** Stands in `kinds` for a record without a uri or a kind; only where the block is read leniently. */
export const noKind = 0xffff;

/** The text under which a unique key is found in the uri table. */
export const keyText = (key: Pick<KeyRow, 'rule' | 'scope' | 'value'>): string => `key\n${key.rule}\n${key.scope}\n${key.value}`;

/** The key that keyText was made of. */
export function keyOfText(text: string): Pick<KeyRow, 'rule' | 'scope' | 'value'> {
  const [, rule = '', scope = '', ...value] = text.split('\n');
  return { rule, scope, value: value.join('\n') };
}

/**
 * Reads a block for the first pass. Fails as kindOf and checked do, at the first such record of the block. Lenient: does not fail; a bad
 * record has no keys, or no kind.
 */
export function indexBlock(bytes: Uint8Array, first: number, context: BlockContext, known: KnownTerms, isLenient = false): BlockIndex {
  const records = numberedRecords(bytes, first, isLenient);
  const preparing = preparingOf(context);
  const numbers = new Map(context.kindNames.map((name, index) => [name, index]));
  const hashes = new Uint32Array(records.length * hashWords);
  const kinds = new Uint16Array(records.length).fill(noKind);
  const keyed: { index: number; keys: readonly string[] }[] = [];
  const terms = new Map<string, TermSeen>();
  const termUris = new Set<string>();
  const enter = (numbered: Numbered, index: number): void => {
    const { kind, uri } = kindOf(numbered);
    hashUri(uri, hashes, index * hashWords);
    kinds[index] = numbers.get(kind.name) ?? 0;
    for (const term of termsIn(numbered.record)) terms.set(termKeyText(term), term);
    const keys = kind.name === 'term' ? termKeys(kind, numbered, preparing, terms) : reuseKeys(kind, numbered, preparing, known, termUris);
    if (keys.length > 0) keyed.push({ index, keys });
  };
  for (const [index, record] of records.entries()) {
    try {
      if (record instanceof Failure) throw record;
      enter(record, index);
    } catch (error) {
      if (!isLenient || !(error instanceof Failure)) throw error;
    }
  }
  return { hashes, kinds, keyed, terms: [...terms.values()], termUris: [...termUris].filter((uri) => !known.has(uri)) };
}

/** A term as a record of its own is found or made as if a subject named it. */
function termKeys(kind: Kind, numbered: Numbered, preparing: PrepareContext, terms: Map<string, TermSeen>): readonly string[] {
  checked(kind, numbered, preparing);
  const term = termOf(numbered.record);
  if (term === null) return [];
  terms.set(termKeyText(term), term);
  return [termKeyText(term)];
}

function reuseKeys(kind: Kind, numbered: Numbered, preparing: PrepareContext, known: KnownTerms, termUris: Set<string>): readonly string[] {
  if (kind.reusedBy === undefined || kind.reusedBy.length === 0) return [];
  const prepared = checked(kind, numbered, preparing);
  for (const uri of termUrisIn(prepared.body)) termUris.add(uri);
  const body = withTerms(prepared.body, null, known);
  const made: JsonObject = kind.generate === undefined ? body : kind.generate(body, preparing.making, null);
  return keysOf(kind, made, null, null).filter((key) => kind.reusedBy?.includes(key.rule) === true).map(keyText);
}
