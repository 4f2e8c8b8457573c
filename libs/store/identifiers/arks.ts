// The ARKs of a record as a whole: reading them, and replacing them (contract 6.15). What a save does is records/writing/naming.ts.
import { kindNamed } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import type { ArkName, ArkSettings } from '#domain/identifiers/arks.ts';
import { arkNameOf, arkReplacement, arkRule } from '#domain/identifiers/arks.ts';
import { keysOf } from '#domain/checking/split.ts';
import { appendChange } from '../change-log/append.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { claimKeys } from '../records/writing/unique-keys.ts';
import { lockRecord } from '../records/writing/write.ts';
import { BodyRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** A record of a kind and repository. */
export type ArkOwner = { readonly kind: string; readonly id: number; readonly repoId: number };

/** The ARKs of a record, or null where it has none. Fails with `not_found`. */
export async function readArkName(reader: Reader, { kind, id, repoId }: ArkOwner): Promise<ArkName | null> {
  const row = await reader.maybeOne(sql.type(BodyRow)`
    SELECT body FROM record WHERE kind = ${kind} AND id = ${id} AND repo_id = ${repoId}`);
  if (row === null) throw fail('not_found', `${kindNamed(kind).model} not found`);
  return arkNameOf(JSON.parse(row.body));
}

/** Replaces the ARKs of a record by what is kept of `sent`; its lock_version stays. Fails with `not_found`, or `not_unique` where another record has one. */
export async function replaceArkName(
  tx: Transaction,
  owner: ArkOwner,
  sent: JsonObject,
  settings: ArkSettings,
  actor: string | null,
): Promise<void> {
  const kind = kindNamed(owner.kind);
  const current = await lockRecord(tx, kind, owner.id, owner.repoId);
  // A stored body is our own canonical text.
  const stored: JsonObject = JSON.parse(current.body);
  const { ark_name: _, ...rest } = stored;
  const name = arkReplacement(sent, settings, arkNameOf(stored));
  const body: JsonObject = name === null ? rest : { ...rest, ark_name: name };
  await tx.run(
    sql`UPDATE record SET body = ${JSON.stringify(body)}::json, system_mtime = now() WHERE kind = ${kind.name} AND id = ${owner.id}`,
  );
  await tx.run(sql`DELETE FROM unique_key WHERE kind = ${kind.name} AND id = ${owner.id} AND rule = ${arkRule}`);
  await claimKeys(
    tx,
    kind.name,
    owner.id,
    keysOf(kind, body, owner.repoId, null).filter((key) => key.rule === arkRule),
    true,
  );
  await appendChange(tx, {
    kind: kind.name,
    repoId: owner.repoId,
    op: 'update',
    actor,
    id: owner.id,
    lockVersion: current.lock_version,
  });
}
