// From prepared bodies to what is stored of them: the steps of a write that come before its rows, for one record or many of a kind.
import type { JsonObject } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import type { Prepared } from '#domain/checking/prepare.ts';
import type { Stored } from '#domain/checking/split.ts';
import { splitBody } from '#domain/checking/split.ts';
import type { Transaction } from '../../connection/database.ts';
import { withKnownAttributes } from '../../settings/assessment-definitions.ts';
import { holdRepository } from './home.ts';
import { checkTargetRules, checkTargets } from './links.ts';
import type { Named } from './naming.ts';
import { withNames } from './naming.ts';
import { ensureTerms } from './terms.ts';
import { refuseRepeated } from './unique-keys.ts';
import type { WriteContext } from './write-context.ts';

/** As storedForms, of one record. */
export async function storedForm(
  tx: Transaction,
  named: Named,
  prepared: Prepared,
  context: WriteContext,
): Promise<Stored> {
  const [stored] = await storedForms(tx, named, [prepared], context);
  if (stored === undefined) throw new Error('A record without a stored form');
  return stored;
}

/**
 * What is stored of prepared bodies, in their order: confidential lists as they were where the writer does not see them, terms as shared records,
 * slugs and ARKs; then split into text, label, links and place. Fails with `not_unique` where one has a key twice itself.
 */
export async function storedForms(
  tx: Transaction,
  named: Named,
  all: readonly Prepared[],
  context: WriteContext,
): Promise<readonly Stored[]> {
  const { kind, id, repoId, old } = named;
  const given = all.map(({ body }) =>
    context.keepsConfidential === true ? withStoredConfidential(kind, body, old) : body,
  );
  const known = await withKnownAttributes(tx, kind, given, repoId);
  const withTerms = await ensureTerms(tx, known, context.actor);
  const bodies = await withNames(tx, withTerms, named, context.generatedValues);
  return all.map((prepared, index) => {
    const body = bodies[index] ?? prepared.body;
    const whole = body === prepared.body ? prepared : { ...prepared, body };
    const stored = splitBody(kind, whole, context.generatedValues, old);
    refuseRepeated(kind, stored.body, id === null ? null : { kind: kind.name, id, repoId });
    return stored;
  });
}

/** The body with the confidential lists of the stored one; a new record has those that are sent. */
function withStoredConfidential(kind: Kind, body: JsonObject, old: JsonObject | null): JsonObject {
  const kept = kind.confidential.filter((list) => old?.[list] !== undefined);
  return kept.length === 0 ? body : { ...body, ...Object.fromEntries(kept.map((list) => [list, old?.[list]])) };
}

/**
 * Checks that the targets of links exist and suit the kind, and holds them until the transaction ends. Gives the uris of those that are
 * suppressed. Fails with `unknown_reference` or `invalid_record`.
 */
export async function holdTargets(
  tx: Transaction,
  kind: Kind,
  all: readonly Stored[],
  repoId: number | null,
  self: { readonly kind: string; readonly id: number } | null,
): Promise<ReadonlySet<string>> {
  const suppressed = await checkTargets(
    tx,
    all.flatMap(({ links }) => links),
    repoId,
    self,
  );
  await checkTargetRules(
    tx,
    kind,
    all.map(({ body }) => body),
  );
  return suppressed;
}

/**
 * The same for new records, behind their repository: who deletes that has it first, and then wants all that is in it. Fails with `bad_parameter` where it is gone.
 */
export async function holdNewTargets(
  tx: Transaction,
  kind: Kind,
  all: readonly Stored[],
  repoId: number | null,
): Promise<ReadonlySet<string>> {
  const [, suppressed] = await tx.together(() => [
    holdRepository(tx, repoId),
    holdTargets(tx, kind, all, repoId, null),
  ]);
  return suppressed;
}
