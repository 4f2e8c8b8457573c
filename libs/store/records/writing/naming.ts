// Names that a record gets with its save and that depend on other rows: slugs, unique over all kinds (contract 6.16), and ARKs (6.15).
// What they are follows from libs/domain/identifiers (slugs.ts, arks.ts); here are the numbers and what is taken.
import { z } from 'zod';
import type { JsonObject } from '#domain/json.ts';
import { textOf } from '#domain/json.ts';
import type { Kind, GeneratedValues } from '#domain/kind.ts';
import type { Naming } from '#domain/identifiers/naming.ts';
import { namingOff } from '#domain/identifiers/naming.ts';
import { arkAfterSave, arkNameOf, arkRule, arkStem, needsNewArk, withArkName } from '#domain/identifiers/arks.ts';
import { planSlug, slugCandidates, slugKey, slugRule, slugStem } from '#domain/identifiers/slugs.ts';
import { keyText } from '#domain/checking/split.ts';
import { repository } from '#domain/kinds/repository.ts';
import type { Reader, Transaction } from '../../connection/database.ts';
import { column, IdRow } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import { insertKeys } from './unique-keys.ts';

/** What is about to be written: new records (`id` null), or one that is there, with its stored body. `former`: what a record that comes back said last. */
export type Named = {
  readonly kind: Kind;
  readonly id: number | null;
  readonly repoId: number | null;
  readonly old: JsonObject | null;
  readonly former?: JsonObject | undefined;
};

/** The bodies with their slugs and ARKs. Costs nothing where neither is on and no slug is sent. */
export async function withNames(
  tx: Transaction,
  bodies: readonly JsonObject[],
  named: Named,
  generatedValues: GeneratedValues,
): Promise<readonly JsonObject[]> {
  const { kind } = named;
  const naming = generatedValues.naming ?? namingOff;
  const slugged =
    kind.properties['slug'] === undefined || kind.ownSlug === true
      ? bodies
      : await withSlugs(tx, bodies, named, generatedValues);
  return kind.properties['ark_name'] === undefined ? slugged : withArks(tx, slugged, named, naming);
}

async function withSlugs(
  tx: Transaction,
  bodies: readonly JsonObject[],
  { kind, id, old }: Named,
  generatedValues: GeneratedValues,
): Promise<readonly JsonObject[]> {
  const { slugs } = generatedValues.naming ?? namingOff;
  const planned = bodies.map((body) => {
    // Names of agents and titles of subjects are generated, and so are known afterwards alone.
    const whole = slugs.from === 'off' ? body : (kind.generate?.(body, generatedValues, old) ?? body);
    return { body, plan: planSlug(whole, kind.label(whole), slugs) };
  });
  const wanted = planned.flatMap(({ plan }) => plan.slug ?? []);
  const before = textOf(old ?? undefined, 'slug');
  await holdSlugs(
    tx,
    wanted.filter((slug) => slug !== before),
  );
  const search = { numbers: new Map(), reserved: slugs.reserved, own: { kind: kind.name, id } };
  const free = (await freeSlugs(tx, wanted, search)).values();
  return planned.map(({ body, plan }) => {
    if (slugs.from === 'off' && plan.slug === undefined) return body;
    const { slug: _, ...rest } = body;
    if (plan.slug === undefined) return { ...rest, is_slug_auto: plan.isAuto };
    return { ...rest, slug: free.next().value ?? plan.slug, is_slug_auto: plan.isAuto };
  });
}

// Of a list of children each may want another; so many locks a transaction takes at most.
const slugLocks = 512;

/**
 * Lets one transaction after another look for slugs that begin alike: what one finds free others find taken, and go on to the next number. The number is left off, since
 * `a_1` is either wanted or the second `a`. In requests alone, whose waits are bounded (decision 0020): a job may write thousands of records in one transaction.
 */
async function holdSlugs(tx: Transaction, wanted: readonly string[]): Promise<void> {
  if (wanted.length === 0) return;
  const stems = [...new Set(wanted.map((slug) => slugStem(slugKey(slug))))];
  await tx.run(sql`SELECT pg_advisory_xact_lock(hashtext('muniment slugs'), place)
    FROM (SELECT DISTINCT abs(hashtext(stem) % ${slugLocks}) AS place FROM unnest(${sql.array(stems, 'text')}) AS u (stem) WHERE current_setting('lock_timeout') <> '0' ORDER BY 1) AS p`);
}

const triedFirst = 20;
const mostSpare = 10_000;

const keyOf = (slug: string): string => keyText(slugKey(slug));
const ValueRow = z.strictObject({ value: column.text });

/** The wanted slug, or the first of `_1`, `_2`… that no other record than the one given has and that is not `reserved`. */
export async function freeSlug(
  tx: Transaction,
  wanted: string,
  kind: string,
  id: number | null,
  reserved?: string,
): Promise<string> {
  await holdSlugs(tx, [wanted]);
  const [slug = wanted] = await freeSlugs(tx, [wanted], { numbers: new Map(), reserved, own: { kind, id } });
  return slug;
}

/** The numbers from which slugs of many records are looked for, by the slugs that they want: lower ones were found taken. */
export type SlugNumbers = Map<string, number>;

// Titles that few records share are found by looking; remembering each of a million would take more than that.
const remembered = 8;

/** What is looked for beside the wanted slugs: what no record may have, and the record whose own slug is as good as free. */
type SlugSearch = {
  readonly numbers: SlugNumbers;
  readonly reserved: string | undefined;
  readonly own?: { readonly kind: string; readonly id: number | null };
};

/**
 * A slug for each wanted one, in their order: itself, or with the first number that no record and none before it has. One statement where few
 * records share a name, and no more work for the hundred thousandth record of a title than for the first where `numbers` goes from call to call.
 */
export async function freeSlugs(
  reader: Reader,
  wanted: readonly string[],
  { numbers, reserved, own }: SlugSearch,
): Promise<readonly string[]> {
  const taken = new Set(reserved === undefined ? [] : [keyOf(reserved)]);
  const found = new Map<number, string>();
  const next = new Map<string, number>();
  const nextOf = (slug: string): number => next.get(keyOf(slug)) ?? numbers.get(keyOf(slug)) ?? 0;
  let waiting = [...wanted.entries()];
  let spare = Math.ceil(triedFirst / (wanted.length + 1));
  for (; waiting.length > 0; spare = Math.min(spare * 8, mostSpare)) {
    const ends = new Map<string, number>();
    const candidates: string[] = [];
    for (const [key, [first, ...more]] of Map.groupBy(waiting, ([, slug]) => keyOf(slug))) {
      const [, slug] = first ?? [0, ''];
      const count = 1 + more.length + spare;
      ends.set(key, nextOf(slug) + count);
      candidates.push(...slugCandidates(slug, nextOf(slug), count).map(keyOf));
    }
    for (const key of await takenAmong(reader, candidates, own)) taken.add(key);
    waiting = waiting.filter(([index, slug]) => {
      const key = keyOf(slug);
      const end = ends.get(key) ?? 0;
      let number = nextOf(slug);
      while (number < end && taken.has(keyOf(slugOf(slug, number)))) number += 1;
      next.set(key, number < end ? number + 1 : number);
      if (number === end) return true;
      found.set(index, slugOf(slug, number));
      taken.add(keyOf(slugOf(slug, number)));
      return false;
    });
  }
  for (const [key, number] of next) if (number >= remembered) numbers.set(key, number);
  return wanted.map((slug, index) => found.get(index) ?? slug);
}

const slugOf = (wanted: string, number: number): string => slugCandidates(wanted, number, 1)[0] ?? wanted;

/** The keys among these that records have, the one given left out. */
async function takenAmong(reader: Reader, keys: readonly string[], own: SlugSearch['own']): Promise<readonly string[]> {
  const rows = await reader.any(sql.type(ValueRow)`
    SELECT k.value FROM unnest(${sql.array(keys, 'text')}) AS u (value)
    JOIN unique_key k ON k.rule = ${slugRule} AND k.scope = '' AND k.value = u.value
    WHERE (k.kind, k.id) IS DISTINCT FROM (${own?.kind ?? null}::text, ${own?.id ?? null}::int)`);
  return rows.map(({ value }) => value);
}

/** A record that is to have a slug, and the one that it would have by its name. */
export type SlugWish = { readonly id: number; readonly wanted: string };

/**
 * Gives records of a kind their slugs by id, as freeSlugs finds them, and the keys of these at once: where somebody committed one meanwhile, the record looks again. Jobs
 * take no locks on names, so that one that entered its keys with the bodies alone failed for a slug that anybody had saved since it looked.
 */
export async function takeSlugs(
  tx: Transaction,
  kind: string,
  wishes: readonly SlugWish[],
  search: Omit<SlugSearch, 'own'>,
): Promise<ReadonlyMap<number, string>> {
  if (wishes.length === 0) return new Map();
  const slugs = await freeSlugs(
    tx,
    wishes.map(({ wanted }) => wanted),
    search,
  );
  const found = wishes.map(({ id, wanted }, index) => ({ id, slug: slugs[index] ?? wanted }));
  const rows = sql.unnest(
    found.map(({ id, slug }) => [keyOf(slug), id]),
    ['text', 'int4'],
  );
  const written = await insertKeys(
    tx,
    sql.fragment`SELECT ${slugRule}::text AS rule, ''::text AS scope, u.value, ${kind}::text AS kind, u.id, u.id AS place FROM ${rows} AS u (value, id)`,
  );
  const own =
    written === found.length
      ? found
      : await tx.any(sql.type(IdRow)`
      SELECT u.id FROM ${rows} AS u (value, id) JOIN unique_key k ON k.rule = ${slugRule} AND k.scope = '' AND k.value = u.value AND k.kind = ${kind} AND k.id = u.id`);
  const ids = new Set(own.map(({ id }) => id));
  const others = wishes.filter(({ id }) => !ids.has(id));
  const given = found.flatMap(({ id, slug }): [number, string][] => (ids.has(id) ? [[id, slug]] : []));
  return new Map([...given, ...(await takeSlugs(tx, kind, others, search))]);
}

/** Whether a slug is the wanted one, or that with a number. */
function fits(slug: string | undefined, wanted: string | undefined): boolean {
  if (slug === undefined || wanted === undefined) return slug === wanted;
  return slug === wanted || (slug.startsWith(`${wanted}_`) && /^\d+$/.test(slug.slice(wanted.length + 1)));
}

/** A stored body, and what becomes of it beside its slug. */
type Renamed = { readonly id: number; readonly old: JsonObject; readonly body: JsonObject };

/** Those of many records of a kind whose slugs do not fit their new bodies, or are not clean where they were sent (contract 6.16), with new ones, which takeSlugs gives. */
export async function renewedSlugs(
  tx: Transaction,
  kind: Kind,
  all: readonly Renamed[],
  generatedValues: GeneratedValues,
  numbers: SlugNumbers,
): Promise<readonly Renamed[]> {
  const { slugs } = generatedValues.naming ?? namingOff;
  if (slugs.from === 'off' || kind.properties['slug'] === undefined || kind.ownSlug === true) return [];
  const moving = all.flatMap(({ id, old, body }) => {
    const whole = kind.generate?.(body, generatedValues, old) ?? body;
    const { slug: wanted, isAuto } = planSlug(whole, kind.label(whole), slugs);
    return fits(textOf(body, 'slug'), wanted) ? [] : [{ id, old, body, wanted, isAuto }];
  });
  const named = moving.flatMap(({ id, wanted }) => (wanted === undefined ? [] : [{ id, wanted }]));
  const slugOf = await takeSlugs(tx, kind.name, named, { numbers, reserved: slugs.reserved });
  return moving.map(({ id, old, body, isAuto }): Renamed => {
    const { slug: _, ...rest } = body;
    const slug = slugOf.get(id);
    return { id, old, body: { ...rest, ...(slug === undefined ? {} : { slug }), is_slug_auto: isAuto } };
  });
}

const NumbersRow = z.strictObject({ numbers: column.ints });

/**
 * For each stem a number whose name no record has: names that were brought along or set by hand may be those whose turn it would be.
 * Where the first is taken more are drawn at once, as such names come in rows; numbers that are left out are not drawn again.
 */
export async function freeArkNumbers(tx: Transaction, stems: readonly string[], spare = 0): Promise<readonly number[]> {
  if (stems.length === 0) return [];
  const { numbers } = await tx.one(sql.type(NumbersRow)`
    SELECT ARRAY(SELECT nextval('ark_number')::int FROM generate_series(1, ${stems.length + spare}::int)) AS numbers`);
  const wanting = [...new Set(stems)];
  const names = wanting.flatMap((stem) => numbers.map((number) => keyText(`${stem}${number}`)));
  const taken = await tx.any(sql.type(ValueRow)`
    SELECT k.value FROM unique_key k WHERE k.rule = ${arkRule} AND k.scope = '' AND k.value = ANY(${sql.array(names, 'text')})`);
  const values = new Set(taken.map(({ value }) => value));
  const isFree = (number: number): boolean => !wanting.some((stem) => values.has(keyText(`${stem}${number}`)));
  const found = numbers.filter(isFree).slice(0, stems.length);
  const more = spare === 0 ? triedFirst : Math.min(spare * 8, mostSpare);
  return [...found, ...(await freeArkNumbers(tx, stems.slice(found.length), more))];
}

const ShoulderRow = z.strictObject({ shoulder: column.maybeText });

async function withArks(
  tx: Transaction,
  bodies: readonly JsonObject[],
  { repoId, old, former }: Named,
  naming: Naming,
): Promise<readonly JsonObject[]> {
  const before = arkNameOf(old ?? former ?? null);
  if (!naming.arks.isOn) return before === null ? bodies : bodies.map((body) => ({ ...body, ark_name: before }));
  const shoulder = await tx.maybeOne(sql.type(ShoulderRow)`
    SELECT body->>'ark_shoulder' AS shoulder FROM record WHERE kind = ${repository.name} AND id = ${repoId}`);
  const stem = arkStem(naming.arks, shoulder?.shoulder ?? undefined);
  const asked = bodies.map((body) => ({ old: before, body, stem }));
  const wanting = asked.filter((each) => needsNewArk(each, naming.arks));
  const numbers = await freeArkNumbers(
    tx,
    wanting.map((each) => each.stem),
  );
  const numberOf = new Map(wanting.map((each, index) => [each, numbers[index] ?? null]));
  return asked.map((each) => withArkName(each.body, arkAfterSave(each, naming.arks, numberOf.get(each) ?? null)));
}
