// Checks of a bulk write that need the database: whether the targets of links are there, what rules say of them, whose unique keys are
// taken. The end of an import stops at the first fault (apply-staged.ts); the report of a refused one lists them all.
import type { z } from 'zod';
import { kindNamed } from '#domain/addresses.ts';
import { betweenRepositories } from '#domain/batch-import/rows.ts';
import type { Failure } from '#domain/errors.ts';
import { term } from '#domain/kinds/term.ts';
import type { Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import type { StagedFault } from './failures.ts';
import { failuresOf, Faulty } from './failures.ts';
import { enterStagedKeys, keyFault, readTaken } from './keys.ts';

/** A staged target that is not there, or elsewhere; `is_stored`: the first pass has seen it. */
export const Missing = Faulty.extend({
  uri: column.text,
  path: column.text,
  is_stored: column.bool,
  repo_id: column.maybeInt,
});
export type Missing = z.infer<typeof Missing>;

/** Such targets in the order of the file, at most `limit`. */
export async function readMissing(tx: Transaction, repoId: number, limit: number): Promise<readonly Missing[]> {
  return tx.any(sql.type(Missing)`
    SELECT t.number, t.source_kind, t.source_id, t.uri, t.path, t.is_stored, t.repo_id FROM stage_target t WHERE t.repo_id <> ${repoId}::int
      OR NOT EXISTS (SELECT FROM record r WHERE r.kind = t.kind AND r.id = t.id AND r.repo_id IS NOT DISTINCT FROM t.repo_id)
        AND NOT (t.kind = ${term.name} AND EXISTS (SELECT FROM stage_term s WHERE s.id = t.id)) ORDER BY t.number LIMIT ${limit}`);
}

/** What is wrong with the record that names the target. */
export function missingFault(missing: Missing, repoId: number): StagedFault {
  const isElsewhere = missing.repo_id !== null && missing.repo_id !== repoId;
  return {
    faulty: missing,
    errors: {
      [missing.path]: [
        isElsewhere
          ? betweenRepositories(missing.uri, repoId)
          : `Reference does not exist! (Reference: '${missing.uri}')`,
      ],
    },
    errorClass: 'unknown_reference',
  };
}

const RuleRow = Faulty.extend({ rule: column.int, path: column.text, ref: column.text, body: column.text });
type RuleRow = z.infer<typeof RuleRow>;

const rulesAtOnce = 1000;

/** Records whose kind has a rule about the target of a link (kind.targets) that does not hold, in the order of the file. */
export async function* brokenRules(tx: Transaction): AsyncGenerator<StagedFault> {
  // Pages of a thousand: they are rare, and their targets' bodies must not be held all at once.
  for (let after = -1; ;) {
    const rows = await tx.any(sql.type(RuleRow)`
      SELECT s.number, s.source_kind, s.source_id, s.rule, s.path, s.ref, r.body FROM stage_rule s JOIN record r ON r.kind = s.kind AND r.id = s.id
      WHERE s.number > ${after} AND s.number <= (SELECT max(number) FROM (SELECT number FROM stage_rule WHERE number > ${after} ORDER BY number LIMIT ${rulesAtOnce}) page) ORDER BY s.number`);
    for (const row of rows) {
      const problem =
        kindNamed(row.source_kind).targets?.[row.rule]?.check(JSON.parse(row.ref), JSON.parse(row.body)) ?? null;
      if (problem !== null)
        yield {
          faulty: row,
          errors: { [`${row.path}/${problem.path}`]: [problem.message] },
          errorClass: 'invalid_record',
        };
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.number;
  }
}

/**
 * Everything wrong with the staged records, at most `limit` of each sort. What another run would find well (a heading that somebody made
 * meanwhile) is no fault. Claims the keys, so the transaction is to be rolled back. NOTE: trees are not looked at.
 */
export async function findStagedFaults(
  tx: Transaction,
  repoId: number,
  limit: number,
): Promise<readonly { readonly number: number; readonly failure: Failure }[]> {
  await tx.client.query('ANALYZE stage_target');
  const faults: StagedFault[] = (await readMissing(tx, repoId, limit))
    .filter((missing) => !missing.is_stored)
    .map((missing) => missingFault(missing, repoId));
  let broken = 0;
  for await (const fault of brokenRules(tx)) {
    faults.push(fault);
    broken += 1;
    if (broken === limit) break;
  }
  if (!(await enterStagedKeys(tx)))
    faults.push(...(await readTaken(tx, limit)).filter((taken) => !taken.is_heading).map(keyFault));
  const failures = await failuresOf(tx, faults);
  return faults.flatMap(({ faulty }, index) => {
    const failure = failures[index];
    return failure === undefined ? [] : [{ number: faulty.number, failure }];
  });
}
