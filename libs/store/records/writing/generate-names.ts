// Names for many records that stand already: ARKs and slugs, a block of records at a time, each block a fixed number of statements.
// A block may be repeated: what fits stays.
import { z } from 'zod';
import type { JsonObject } from '#domain/json.ts';
import { textOf } from '#domain/json.ts';
import type { Kind, GeneratedValues } from '#domain/kind.ts';
import { namingOff } from '#domain/identifiers/naming.ts';
import { arkAfterSave, arkNameOf, arkStem, needsNewArk, withArkName } from '#domain/identifiers/arks.ts';
import { planSlug, slugKey, slugRule } from '#domain/identifiers/slugs.ts';
import { keyText } from '#domain/checking/split.ts';
import { repository } from '#domain/kinds/repository.ts';
import type { Transaction } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import type { Fragment } from '../../connection/sql.ts';
import { sql } from '../../connection/sql.ts';
import { freeArkNumbers } from './naming.ts';
import type { Revised } from './revise.ts';
import { reviseMany } from './revise.ts';

/** A block that was done: the last id in it (null: there was none left), how many records it had, and the ids of those that changed. */
export type NamedBlock = {
  readonly last: number | null;
  readonly count: number;
  readonly changed: readonly { readonly id: number; readonly repoId: number | null }[];
};

const Row = z.strictObject({ id: column.int, repoId: column.maybeInt, body: column.text, shoulder: column.maybeText });
type Row = z.infer<typeof Row>;

const blockSize = 1000;

const readBlock = (tx: Transaction, kind: Kind, after: number): Promise<readonly Row[]> =>
  readRows(tx, kind, sql.fragment`r.id > ${after} ORDER BY r.id LIMIT ${blockSize}`);

function readRows(tx: Transaction, kind: Kind, which: Fragment): Promise<readonly Row[]> {
  return tx.any(sql.type(Row)`
    SELECT r.id, r.repo_id AS "repoId", r.body, o.body->>'ark_shoulder' AS shoulder FROM record r LEFT JOIN record o ON o.kind = ${repository.name} AND o.id = r.repo_id
    WHERE r.kind = ${kind.name} AND ${which} FOR NO KEY UPDATE OF r`);
}

async function writeBlock(
  tx: Transaction,
  kind: Kind,
  rows: readonly Row[],
  revised: readonly Revised[],
  generatedValues: GeneratedValues,
): Promise<NamedBlock> {
  const repos = new Map(rows.map((row) => [row.id, row.repoId]));
  // A statement set for each repository: keys within one are told apart by it.
  const byRepo = Map.groupBy(revised, ({ id }) => repos.get(id) ?? null);
  const changed: { id: number; repoId: number | null }[] = [];
  for (const [repoId, some] of byRepo)
    for (const id of await reviseMany(tx, kind, some, { repoId, actor: null, generatedValues, keepsVersion: true }))
      changed.push({ id, repoId });
  return { last: rows.at(-1)?.id ?? null, count: rows.length, changed };
}

/** Gives an ARK to the records of the next block that have no fitting one; external names stay (contract 6.15). */
export async function generateArkBlock(
  tx: Transaction,
  kind: Kind,
  after: number,
  generatedValues: GeneratedValues,
): Promise<NamedBlock> {
  return giveArks(tx, kind, await readBlock(tx, kind, after), generatedValues);
}

async function giveArks(
  tx: Transaction,
  kind: Kind,
  rows: readonly Row[],
  generatedValues: GeneratedValues,
): Promise<NamedBlock> {
  const { arks } = generatedValues.naming ?? namingOff;
  const asked = rows.map((row) => {
    const body: JsonObject = JSON.parse(row.body);
    return { id: row.id, old: arkNameOf(body), body, stem: arkStem(arks, row.shoulder ?? undefined) };
  });
  const wanting = asked.filter((each) => needsNewArk(each, arks));
  const numbers = await freeArkNumbers(
    tx,
    wanting.map(({ stem }) => stem),
  );
  const numberOf = new Map(wanting.map(({ id }, index) => [id, numbers[index] ?? null]));
  const revised = asked.flatMap((each): Revised[] => {
    const name = arkAfterSave(each, arks, numberOf.get(each.id) ?? null);
    if (name === null || JSON.stringify(name) === JSON.stringify(each.old)) return [];
    return [{ id: each.id, old: each.body, body: withArkName(each.body, name) }];
  });
  return writeBlock(tx, kind, rows, revised, generatedValues);
}

/** Makes the slugs of the next block anew where they are made for the record and do not fit any more (contract 6.16). */
export async function generateSlugBlock(
  tx: Transaction,
  kind: Kind,
  after: number,
  generatedValues: GeneratedValues,
): Promise<NamedBlock> {
  return giveSlugs(tx, kind, await readBlock(tx, kind, after), generatedValues);
}

async function giveSlugs(
  tx: Transaction,
  kind: Kind,
  rows: readonly Row[],
  generatedValues: GeneratedValues,
): Promise<NamedBlock> {
  const { slugs } = generatedValues.naming ?? namingOff;
  const planned = rows.flatMap((row) => {
    const body: JsonObject = JSON.parse(row.body);
    if (body['is_slug_auto'] === false) return [];
    const whole = kind.generate?.(body, generatedValues, body) ?? body;
    return [{ id: row.id, body, wanted: planSlug(whole, kind.label(whole), slugs).slug }];
  });
  const moving = planned.filter(({ body, wanted }) => !fits(textOf(body, 'slug'), wanted));
  const taken = await takenSlugs(
    tx,
    moving.flatMap(({ wanted }) => wanted ?? []),
  );
  const revised = moving.map(({ id, body, wanted }): Revised => {
    const { slug: _, ...rest } = body;
    if (wanted === undefined) return { id, old: body, body: { ...rest, is_slug_auto: false } };
    let slug = wanted;
    for (let n = 1; taken.has(keyText(slugKey(slug))); n++) slug = `${wanted}_${n}`;
    taken.add(keyText(slugKey(slug)));
    return { id, old: body, body: { ...rest, slug, is_slug_auto: true } };
  });
  return writeBlock(tx, kind, rows, revised, generatedValues);
}

/** Gives ARKs and slugs to records that were written as a bulk, as single saves do; nothing where both are off. */
export async function nameWritten(
  tx: Transaction,
  idsByKind: ReadonlyMap<Kind, readonly number[]>,
  generatedValues: GeneratedValues,
): Promise<void> {
  const { arks, slugs } = generatedValues.naming ?? namingOff;
  if (!arks.isOn && slugs.from === 'off') return;
  for (const [kind, ids] of idsByKind)
    for (let from = 0; from < ids.length; from += blockSize) {
      const block = sql.array(ids.slice(from, from + blockSize), 'int4');
      const rows = () => readRows(tx, kind, sql.fragment`r.id = ANY(${block}) ORDER BY r.id`);
      if (arks.isOn && kind.properties['ark_name'] !== undefined)
        await giveArks(tx, kind, await rows(), generatedValues);
      if (slugs.from !== 'off' && kind.properties['slug'] !== undefined && kind.ownSlug !== true)
        await giveSlugs(tx, kind, await rows(), generatedValues);
    }
}

function fits(slug: string | undefined, wanted: string | undefined): boolean {
  if (slug === undefined || wanted === undefined) return slug === wanted;
  return slug === wanted || (slug.startsWith(`${wanted}_`) && /^\d+$/.test(slug.slice(wanted.length + 1)));
}

const ValueRow = z.strictObject({ value: column.text });

/** The slugs that are these or begin with one and a `_`. Served by the primary key, a range for each ("C" order: '`' comes after '_'). */
async function takenSlugs(tx: Transaction, wanted: readonly string[]): Promise<Set<string>> {
  const rows = await tx.any(sql.type(ValueRow)`
    SELECT DISTINCT k.value FROM unnest(${sql.array([...new Set(wanted.map(slugKey))], 'text')}) AS u (value)
    JOIN unique_key k ON k.rule = ${slugRule} AND k.scope = '' AND (k.value = u.value OR (k.value >= u.value || '_' AND k.value < u.value || '\`'))`);
  return new Set(rows.map((row) => row.value));
}
