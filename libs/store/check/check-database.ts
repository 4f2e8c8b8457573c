// The whole check of a database: every invariant, one after the other, so that a large database is not scanned ten times at once.
import { kindNamed } from '#domain/addresses.ts';
import { allKinds } from '#domain/kinds/index.ts';
import type { Database } from '../connection/database.ts';
import { checkTrees } from '../trees/invariants.ts';
import { checkBodies } from './bodies.ts';
import type { Violation } from './invariant.ts';
import { checkInvariant } from './invariant.ts';
import { rowInvariants } from './rows.ts';

export type { Violation } from './invariant.ts';

/**
 * Checks everything in one snapshot, so that it may run beside a service at work; gives what is broken, empty where all is well. Reads every
 * record: some 10,000 a second. `onStep` hears what is looked at next.
 */
export async function checkDatabase(
  database: Database,
  onStep: (what: string) => void = () => undefined,
): Promise<readonly Violation[]> {
  return database.transaction(
    async (tx) => {
      const found: Violation[] = [];
      // A fixed list of checks, not records.
      for (const invariant of rowInvariants) {
        onStep(invariant.says);
        const violation = await checkInvariant(tx, invariant);
        if (violation !== null) found.push(violation);
      }
      onStep('trees');
      const treeKinds = allKinds.flatMap((kind) =>
        kind.tree === undefined
          ? []
          : [{ code: kind.tree.code, node: kind.name, root: kindNamed(kind.tree.root).name }],
      );
      for (const text of await checkTrees(tx, treeKinds))
        found.push({ says: text.replace(/^\d+ /, ''), count: Number.parseInt(text, 10), examples: [] });
      onStep('bodies');
      found.push(...(await checkBodies(tx)));
      return found;
    },
    { readOnly: true, statementTimeoutMs: 3_600_000 },
  );
}
