// Names for many records that stand already: ARKs and slugs, a block of records at a time, each block a few statements.
// A block may be repeated: what fits stays.
import { z } from 'zod';
import { parseUri } from '#domain/addresses.ts';
import { Failure, fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Kind, GeneratedValues } from '#domain/kind.ts';
import { namingOff } from '#domain/identifiers/naming.ts';
import { arkAfterSave, arkNameOf, arkStem, needsNewArk, withArkName } from '#domain/identifiers/arks.ts';
import { repository } from '#domain/kinds/repository.ts';
import type { Transaction } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import type { Fragment } from '../../connection/sql.ts';
import { sql } from '../../connection/sql.ts';
import { freeArkNumbers, renewedSlugs } from './naming.ts';
import type { SlugNumbers } from './naming.ts';
import type { Revised } from './revise.ts';
import { reviseMany } from './revise.ts';

/** A block that was done: the last id in it (null: there was none left), how many records it had, and the ids of those that changed. */
export type NamedBlock = {
  readonly last: number | null;
  readonly count: number;
  readonly changed: readonly { readonly id: number; readonly repoId: number | null }[];
};

const Row = z.strictObject({ id: column.int, repoId: column.maybeInt, body: column.text, shoulder: column.maybeText });

type Stored = Omit<z.infer<typeof Row>, 'body'> & { readonly body: JsonObject };

const unchanged = ({ id, body }: Stored): Revised => ({ id, old: body, body });

const blockSize = 1000;

const readBlock = (tx: Transaction, kind: Kind, after: number): Promise<readonly Stored[]> =>
  readStored(tx, kind, sql.fragment`r.id > ${after} ORDER BY r.id LIMIT ${blockSize}`);

async function readStored(tx: Transaction, kind: Kind, which: Fragment): Promise<readonly Stored[]> {
  const rows = await tx.any(sql.type(Row)`
    SELECT r.id, r.repo_id AS "repoId", r.body, o.body->>'ark_shoulder' AS shoulder FROM record r LEFT JOIN record o ON o.kind = ${repository.name} AND o.id = r.repo_id
    WHERE r.kind = ${kind.name} AND ${which} FOR NO KEY UPDATE OF r`);
  // A stored body is our own canonical text.
  return rows.map((row) => ({ ...row, body: JSON.parse(row.body) }));
}

async function writeBlock(
  tx: Transaction,
  kind: Kind,
  rows: readonly Stored[],
  revised: readonly Revised[],
  { generatedValues, areNew = false }: { readonly generatedValues: GeneratedValues; readonly areNew?: boolean },
): Promise<NamedBlock> {
  const repos = new Map(rows.map((row) => [row.id, row.repoId]));
  // A statement set for each repository: keys within one are told apart by it.
  const byRepo = Map.groupBy(revised, ({ id }) => repos.get(id) ?? null);
  const changed: { id: number; repoId: number | null }[] = [];
  for (const [repoId, some] of byRepo)
    for (const id of await reviseMany(tx, kind, some, {
      repoId,
      actor: null,
      generatedValues,
      keepsVersion: true,
      areNew,
    }))
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
  const rows = await readBlock(tx, kind, after);
  return writeBlock(tx, kind, rows, await withArks(tx, rows, generatedValues), { generatedValues });
}

/** The records whose ARK changes, with it. */
async function withArks(
  tx: Transaction,
  rows: readonly Stored[],
  generatedValues: GeneratedValues,
): Promise<readonly Revised[]> {
  const { arks } = generatedValues.naming ?? namingOff;
  const asked = rows.map(({ id, body, shoulder }) => ({
    id,
    old: arkNameOf(body),
    body,
    stem: arkStem(arks, shoulder ?? undefined),
  }));
  const wanting = asked.filter((each) => needsNewArk(each, arks));
  const numbers = await freeArkNumbers(
    tx,
    wanting.map(({ stem }) => stem),
  );
  const numberOf = new Map(wanting.map(({ id }, index) => [id, numbers[index] ?? null]));
  return asked.flatMap((each): Revised[] => {
    const name = arkAfterSave(each, arks, numberOf.get(each.id) ?? null);
    if (name === null || JSON.stringify(name) === JSON.stringify(each.old)) return [];
    return [{ id: each.id, old: each.body, body: withArkName(each.body, name) }];
  });
}

/** Makes the slugs of the next block anew where they are made for the record and do not fit any more (contract 6.16). `numbers` goes from block to block. */
export async function generateSlugBlock(
  tx: Transaction,
  kind: Kind,
  after: number,
  generatedValues: GeneratedValues,
  numbers: SlugNumbers,
): Promise<NamedBlock> {
  const rows = await readBlock(tx, kind, after);
  const made = rows.filter(({ body }) => body['is_slug_auto'] !== false).map(unchanged);
  return writeBlock(tx, kind, rows, await renewedSlugs(tx, kind, made, generatedValues, numbers), { generatedValues });
}

/** Gives ARKs and slugs to records that were written as a bulk by this transaction, as single saves do; nothing where both are off. */
export async function nameWritten(
  tx: Transaction,
  idsByKind: ReadonlyMap<Kind, readonly number[]>,
  generatedValues: GeneratedValues,
): Promise<void> {
  const { arks, slugs } = generatedValues.naming ?? namingOff;
  const numbers: SlugNumbers = new Map();
  for (const [kind, ids] of idsByKind) {
    const hasArks = arks.isOn && kind.properties['ark_name'] !== undefined;
    const hasSlugs = slugs.from !== 'off' && kind.properties['slug'] !== undefined && kind.ownSlug !== true;
    if (!hasArks && !hasSlugs) continue;
    for (let from = 0; from < ids.length; from += blockSize) {
      const block = sql.array(ids.slice(from, from + blockSize), 'int4');
      const rows = await readStored(tx, kind, sql.fragment`r.id = ANY(${block}) ORDER BY r.id`);
      const bodies = new Map(rows.map(({ id, body }) => [id, body]));
      if (hasArks) for (const { id, body } of await withArks(tx, rows, generatedValues)) bodies.set(id, body);
      const named = rows.map(({ id, body }) => ({ id, old: body, body: bodies.get(id) ?? body }));
      if (hasSlugs)
        for (const { id, body } of await renewedSlugs(tx, kind, named, generatedValues, numbers)) bodies.set(id, body);
      const revised = rows.map(({ id, body }) => ({ id, old: body, body: bodies.get(id) ?? body }));
      await writeBlock(tx, kind, rows, revised, { generatedValues, areNew: true }).catch((error: unknown) => {
        throw importFailureOf(error, kind, bodies);
      });
    }
  }
}

/** The failure of a bulk for a name that somebody has, such as an ARK that an import brings along: which record wanted it. Other errors stay. */
function importFailureOf(error: unknown, kind: Kind, bodies: ReadonlyMap<number, JsonObject>): unknown {
  if (!(error instanceof Failure) || error.code !== 'not_unique') return error;
  const body = bodies.get(parseUri(String(error.extra['uri'] ?? ''))?.id ?? 0);
  if (body === undefined) return error;
  return fail(
    'import_failed',
    {
      record_title: kind.label(body),
      record_type: kind.name,
      record_uri: null,
      error_class: 'not_unique',
      errors: error.error,
    },
    {},
    error,
  );
}
