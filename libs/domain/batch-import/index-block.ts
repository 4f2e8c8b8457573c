// First pass over a block of a batch import: tells what is in it. Records that may exist already are checked and their keys worked
// out; of the others only the uri and the kind are read, without parsing them.
import { Failure } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { Kind } from '../kind.ts';
import type { KeyRow } from '../checking/split.ts';
import { keysOf } from '../checking/split.ts';
import type { PrepareContext } from '../checking/context.ts';
import type { BlockContext, Numbered } from './block.ts';
import { checked, importableKind, kindOf, numberedRecords, parseBlock, preparingOf } from './block.ts';
import type { ScannedElement } from './scan-elements.ts';
import { scanElements } from './scan-elements.ts';
import { inBrackets } from './record-scanner.ts';
import type { KnownTerms, TermSeen } from './terms.ts';
import { termKeyText, termOf, termUrisIn, termsIn, withTerms } from './terms.ts';
import { hashUri, hashWords } from './uri-table.ts';

/** What is in a block. Two records of one uri have the same hash. */
export type BlockIndex = {
  /** Hash of each record's uri: `hashWords` words a record. */
  readonly hashes: Uint32Array;
  /** Number of each record's kind in `kindNames`, or `noKind`. */
  readonly kinds: Uint16Array;
  /** Records, by index in the block and in its order, that stand for an equal one: the texts of their keys in the uri table. */
  readonly keyed: readonly { readonly index: number; readonly keys: readonly string[] }[];
  /** Terms named in the block, each once. */
  readonly terms: readonly TermSeen[];
  /** Uris of terms whose contents are needed and not among the known: read them and ask again. */
  readonly termUris: readonly string[];
};

/** Stands in `kinds` for a record without a uri or a kind; only where the block is read leniently. */
export const noKind = 0xffff;

/** The text under which a unique key is found in the uri table. */
export const keyText = (key: Pick<KeyRow, 'rule' | 'scope' | 'value'>): string =>
  `key\n${key.rule}\n${key.scope}\n${key.value}`;

/** The key that keyText was made of. */
export function keyOfText(text: string): Pick<KeyRow, 'rule' | 'scope' | 'value'> {
  const [, rule = '', scope = '', ...value] = text.split('\n');
  return { rule, scope, value: value.join('\n') };
}

/**
 * Reads a block for the first pass. Fails as kindOf and checked do, at the first such record of those it parses; the second pass parses
 * all. Lenient: does not fail; a bad record has no keys, or no kind.
 */
export function indexBlock(
  bytes: Uint8Array,
  first: number,
  context: BlockContext,
  known: KnownTerms,
  isLenient = false,
): BlockIndex {
  // What is no JSON may look like anything before it is parsed, so whoever wants to hear of every fault has all of them parsed.
  const elements = isLenient ? numberedRecords(bytes, first, true) : scanElements(bytes);
  const preparing = preparingOf(context);
  const numbers = new Map(context.kindNames.map((name, index) => [name, index]));
  const hashes = new Uint32Array(elements.length * hashWords);
  const kinds = new Uint16Array(elements.length).fill(noKind);
  const keyed: { index: number; keys: readonly string[] }[] = [];
  const terms = new Map<string, TermSeen>();
  const termUris = new Set<string>();
  // Terms that are records of the block, by uri: subjects may name them so, also those that come before.
  const own = new Map(known);
  const named: { readonly kind: Kind; readonly numbered: Numbered; readonly index: number }[] = [];
  const note = (uri: string, kind: Kind, index: number): void => {
    hashUri(uri, hashes, index * hashWords);
    kinds[index] = numbers.get(kind.name) ?? 0;
  };
  const enter = (numbered: Numbered, index: number): void => {
    const { kind, uri } = kindOf(numbered);
    note(uri, kind, index);
    for (const term of termsIn(numbered.record)) terms.set(termKeyText(term), term);
    if (kind.madeWhenNamed !== true) return void named.push({ kind, numbered, index });
    const term = termIn(kind, numbered, preparing);
    if (term === null) return;
    terms.set(termKeyText(term), term);
    own.set(uri, term);
    keyed.push({ index, keys: [termKeyText(term)] });
  };
  const tolerant = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!isLenient || !(error instanceof Failure)) throw error;
    }
  };
  for (const [index, element] of elements.entries())
    tolerant(() => {
      if (element instanceof Failure) throw element;
      if ('record' in element) return enter(element, index);
      const plain = plainKind(element);
      if (plain !== undefined) return note(element.uri ?? '', plain, index);
      enter({ record: parsedElement(bytes, element, first + index), number: first + index }, index);
    });
  for (const { kind, numbered, index } of named)
    tolerant(() => {
      const keys = reuseKeys(kind, numbered, preparing, own, termUris);
      if (keys.length > 0) keyed.push({ index, keys });
    });
  return {
    hashes,
    kinds,
    keyed: keyed.sort((a, b) => a.index - b.index),
    terms: [...terms.values()],
    termUris: [...termUris].filter((uri) => !own.has(uri)),
  };
}

/** The kind of an element of which no more need be known than its uri and type. */
function plainKind({ uri, type }: ScannedElement): Kind | undefined {
  const kind = type === undefined || uri === '' ? undefined : importableKind(type);
  return kind !== undefined && kind.madeWhenNamed !== true && (kind.reusedBy ?? []).length === 0 ? kind : undefined;
}

function parsedElement(bytes: Uint8Array, { start, end }: ScannedElement, number: number): JsonObject {
  const [record] = parseBlock(inBrackets([bytes.subarray(start, end)], end - start), number);
  if (record === undefined) throw new Error(`record ${number} of the batch is empty`);
  return record;
}

/** A term as a record of its own is found or made as if a subject named it. */
function termIn(kind: Kind, numbered: Numbered, preparing: PrepareContext): TermSeen | null {
  checked(kind, numbered, preparing);
  return termOf(numbered.record);
}

function reuseKeys(
  kind: Kind,
  numbered: Numbered,
  preparing: PrepareContext,
  known: KnownTerms,
  termUris: Set<string>,
): readonly string[] {
  if (kind.reusedBy === undefined || kind.reusedBy.length === 0) return [];
  const prepared = checked(kind, numbered, preparing);
  for (const uri of termUrisIn(prepared.body)) termUris.add(uri);
  const body = withTerms(prepared.body, null, known);
  const made: JsonObject = kind.generate === undefined ? body : kind.generate(body, preparing.generatedValues, null);
  return keysOf(kind, made, null, null)
    .filter((key) => kind.reusedBy?.includes(key.rule) === true)
    .map(keyText);
}
