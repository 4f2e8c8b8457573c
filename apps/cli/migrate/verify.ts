// The proof that two sides hold the same: records of each list, field by field, and the order of siblings in every tree.
import type { JsonObject } from '#domain/json.ts';
import type { Difference } from './compare.ts';
import { compareRecords } from './compare.ts';
import { uriOf } from '#migrate/reading.ts';
import type { SampleSizes } from './samples.ts';
import { Sample } from './samples.ts';
import type { Side } from './sides.ts';
import { TreeOrder, orderDifferences } from '#migrate/tree-order.ts';
import { UriSet, compareUris, splitUri } from '#migrate/uri-set.ts';

/** The records of one list, as /repositories/2/resources. `differing` counts records. */
type ListCount = { readonly list: string; source: number; here: number; differing: number };

/** What came of it: counts of each list, of differences, and of records in which something differs that may, by its reason. */
export type Verdict = {
  readonly source: string;
  readonly here: string;
  readonly same: boolean;
  readonly lists: readonly ListCount[];
  /** How many documents and searches were compared at most; null: none, as a folder answers nothing. */
  readonly samples: SampleSizes | null;
  readonly differences: { readonly [what: string]: number };
  readonly allowed: { readonly [reason: string]: number };
};

const goneMeanwhile = 'the record was deleted in the source while that was read';
const ofItsOwn = 'this service has more controlled lists than the source';

/** Compares two sides; each difference is given as it is found. Needs memory for the places of lines and tree nodes, not for records. */
export async function verify(
  source: Side,
  here: Side,
  onDifference: (difference: Difference) => void,
  onProgress: (file: string, done: number) => void = () => undefined,
  sizes: SampleSizes = { documents: 0, searches: 0 },
): Promise<Verdict> {
  const tally = new Tally(onDifference);
  const sample = new Sample(sizes);
  const deleted = new UriSet();
  for await (const uri of source.deleted()) deleted.add(uri);
  for (const file of new Set([...source.files, ...here.files])) {
    const orders = { source: new TreeOrder(), here: new TreeOrder() };
    let done = 0;
    for await (const [theirs, ours] of sideBySide(source.records(file), here.records(file))) {
      if (theirs !== null) {
        orders.source.add(theirs);
        // Records that came back to an address, as transfers bring them, are told to be deleted for ever by the earlier release.
        deleted.delete(uriOf(theirs));
      }
      if (ours !== null) orders.here.add(ours);
      compareOne(tally, file, { source, deleted }, theirs, ours);
      if (theirs !== null && ours !== null) sample.add(theirs);
      onProgress(file, ++done);
    }
    for (const { below, ...order } of orderDifferences(orders.source, orders.here))
      tally.tell({ what: 'order', uri: below, ...order });
  }
  for await (const uri of here.deleted()) deleted.delete(uri);
  for (const uri of deleted) tally.tell({ what: 'deleted', uri });
  await tellUnread(tally, source, here);
  const isAnswered = await compareSample(tally, sample, { source, here }, onProgress);
  return { source: source.name, here: here.name, samples: isAnswered ? sizes : null, ...tally.counts() };
}

/** What could not be read is a difference, unless nobody could have. */
async function tellUnread(tally: Tally, source: Side, here: Side): Promise<void> {
  for (const [name, side] of [
    ['source', source],
    ['here', here],
  ] as const)
    for await (const { uri, status, reason } of side.problems()) {
      // A record that was deleted between the list of ids and the page is none that anybody could carry.
      if (status === 404 && name === 'source' && (await side.isGone(uri))) tally.allow(goneMeanwhile);
      else tally.tell({ what: 'unread', uri, side: name, reason });
    }
}

/** Asks both services what they make of the sample; false where one of them is a folder. */
async function compareSample(
  tally: Tally,
  sample: Sample,
  { source, here }: { readonly source: Side; readonly here: Side },
  onProgress: (label: string, done: number) => void,
): Promise<boolean> {
  if (source.service === null || here.service === null) return false;
  await sample.compare(source.service, here.service, {
    tell: (difference) => tally.tell(difference),
    allow: (reason) => tally.allow(reason),
    onProgress,
  });
  return true;
}

function compareOne(
  tally: Tally,
  file: string,
  { source, deleted }: { readonly source: Side; readonly deleted: UriSet },
  theirs: JsonObject | null,
  ours: JsonObject | null,
): void {
  const uri = uriOf(theirs ?? ours ?? {});
  const counted = tally.listOf(uri);
  if (theirs !== null) counted.source++;
  if (ours !== null) counted.here++;
  if (theirs === null || ours === null) {
    if (theirs === null && source.isPart && !deleted.has(uri)) return;
    if (theirs === null && file === 'enumerations') return tally.allow(ofItsOwn);
    counted.differing++;
    return tally.tell({ what: theirs === null ? 'extra' : 'missing', uri });
  }
  const { differences, allowed } = compareRecords(theirs, ours, source.release);
  for (const reason of allowed) tally.allow(reason);
  if (differences.length > 0) counted.differing++;
  for (const field of differences)
    tally.tell({ what: 'field', uri, path: field.path, source: field.source ?? null, here: field.here ?? null });
}

/** What is counted on the way. */
class Tally {
  readonly #onDifference: (difference: Difference) => void;
  readonly #lists = new Map<string, ListCount>();
  readonly #differences = new Map<string, number>();
  readonly #allowed = new Map<string, number>();

  constructor(onDifference: (difference: Difference) => void) {
    this.#onDifference = onDifference;
  }

  tell(difference: Difference): void {
    addOne(this.#differences, difference.what);
    this.#onDifference(difference);
  }

  allow(reason: string): void {
    addOne(this.#allowed, reason);
  }

  listOf(uri: string): ListCount {
    const { list } = splitUri(uri);
    const known = this.#lists.get(list) ?? { list, source: 0, here: 0, differing: 0 };
    this.#lists.set(list, known);
    return known;
  }

  counts(): Pick<Verdict, 'same' | 'lists' | 'differences' | 'allowed'> {
    return {
      same: this.#differences.size === 0,
      lists: [...this.#lists.values()],
      differences: Object.fromEntries(this.#differences),
      allowed: Object.fromEntries(this.#allowed),
    };
  }
}

const addOne = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);

/** Walks two streams in the order of uris; null where a side has no record of an address. */
async function* sideBySide(
  source: AsyncGenerator<JsonObject>,
  here: AsyncGenerator<JsonObject>,
): AsyncGenerator<readonly [JsonObject | null, JsonObject | null]> {
  let [theirs, ours] = await Promise.all([source.next(), here.next()]);
  while (theirs.done !== true || ours.done !== true) {
    const order =
      theirs.done === true ? 1 : ours.done === true ? -1 : compareUris(uriOf(theirs.value), uriOf(ours.value));
    yield [
      order <= 0 && theirs.done !== true ? theirs.value : null,
      order >= 0 && ours.done !== true ? ours.value : null,
    ];
    [theirs, ours] = await Promise.all([order <= 0 ? source.next() : theirs, order >= 0 ? here.next() : ours]);
  }
}
