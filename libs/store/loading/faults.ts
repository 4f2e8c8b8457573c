// What is wrong between the records of a load, found when all of them are in place: refs that lead nowhere, nodes without a place, keys twice.
import { z } from 'zod';
import type { Failure } from '#domain/errors.ts';
import { kindNamed, uriOf } from '#domain/addresses.ts';
import { repository } from '#domain/kinds/repository.ts';
import { term } from '#domain/kinds/term.ts';
import { enterStagedKeys, keyFault, readTaken } from '../batch-import/keys.ts';
import { failuresOf, Faulty } from '../batch-import/failures.ts';
import type { StagedFault } from '../batch-import/failures.ts';
import type { Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { holdRecords } from '../records/writing/lock-order.ts';
import { sql } from '../connection/sql.ts';

const Dangling = z.strictObject({
  number: column.int,
  source_kind: column.text,
  source_id: column.int,
  property: column.text,
  kind: column.text,
  id: column.int,
  repo_id: column.maybeInt,
});

const Homeless = z.strictObject({
  number: column.int,
  source_kind: column.text,
  source_id: column.int,
  isRootMissing: column.bool,
});

const Stranded = z.strictObject({
  number: column.int,
  source_kind: column.text,
  source_id: column.int,
  repo_id: column.int,
});

const Elsewhere = z.strictObject({
  number: column.int,
  source_kind: column.text,
  source_id: column.int,
  by: column.text,
});
type Elsewhere = z.infer<typeof Elsewhere>;

/** Records that lines bring back from another repository, to which they went here, while something that stays there links to them. */
async function readLinkedElsewhere(tx: Transaction, limit: number): Promise<readonly Elsewhere[]> {
  return tx.any(sql.type(Elsewhere)`
    SELECT s.number, s.kind AS source_kind, s.id AS source_id, min(record_uri(l.source_kind, l.source_id, l.repo_id)) AS by
    FROM load_old o JOIN load_record s ON s.kind = o.kind AND s.id = o.id AND s.repo_id <> o.repo_id JOIN link l ON l.target_kind = o.kind AND l.target_id = o.id AND l.repo_id <> s.repo_id
    GROUP BY 1, 2, 3 ORDER BY 1 LIMIT ${limit}`);
}

const OtherTerm = Faulty.extend({ id: column.int, term: column.text, term_type: column.text });
type OtherTerm = z.infer<typeof OtherTerm>;

/** Records that name a term in full at whose address another one is: one that was made here, or that of another line. */
async function readOtherTerms(tx: Transaction, limit: number): Promise<readonly OtherTerm[]> {
  return tx.any(sql.type(OtherTerm)`
    SELECT t.number, t.source_kind, t.source_id, t.id, r.body->>'term' AS term, r.body->>'term_type' AS term_type
    FROM load_term t JOIN record r ON r.kind = ${term.name} AND r.id = t.id
    WHERE (r.body->>'term', r.body->>'term_type', r.body->>'vocabulary') IS DISTINCT FROM (t.term, t.term_type, t.vocabulary) ORDER BY t.number, t.id LIMIT ${limit}`);
}

const noSuch = (what: string): string => `Reference does not exist! (Reference: '${what}')`;

/**
 * Holds the records that lines link to, and the repositories they are in, against deletion, as a single write does: who deletes one of them waits, and finds the links. What
 * comes with the load itself nobody else sees.
 */
async function holdTargets(tx: Transaction): Promise<void> {
  await holdRecords(
    tx,
    sql.fragment`SELECT t.kind, t.id FROM (
        SELECT l.target_kind AS kind, l.target_id AS id FROM load_record s JOIN link l ON l.source_kind = s.kind AND l.source_id = s.id
        UNION SELECT ${repository.name}, s.repo_id FROM load_record s WHERE s.repo_id IS NOT NULL) AS t
      WHERE NOT EXISTS (SELECT FROM load_record o WHERE o.kind = t.kind AND o.id = t.id)`,
    'deletion',
  );
}

/** Faults in the order of the lines, at most `limit` of each sort. Claims the keys, and holds what is linked to. */
export async function findLoadFaults(
  tx: Transaction,
  limit: number,
): Promise<readonly { readonly number: number; readonly failure: Failure }[]> {
  await holdTargets(tx);
  const dangling = await tx.any(sql.type(Dangling)`
    SELECT s.number, l.source_kind, l.source_id, l.property, l.target_kind AS kind, l.target_id AS id, l.repo_id FROM load_record s
    JOIN link l ON l.source_kind = s.kind AND l.source_id = s.id LEFT JOIN record r ON r.kind = l.target_kind AND r.id = l.target_id
    WHERE r.id IS NULL ORDER BY s.number LIMIT ${limit}`);
  await tx.client.query('CREATE INDEX ON load_node (repo_id, code, id); ANALYZE load_node');
  const homeless = await tx.any(sql.type(Homeless)`
    SELECT h.number, s.kind AS source_kind, h.id AS source_id, h."isRootMissing" FROM (
      SELECT n.number, n.id, NOT EXISTS (SELECT FROM tree_root t WHERE t.repo_id = n.repo_id AND t.kind = n.code AND t.root_id = n.root_id) AS "isRootMissing",
        n.parent_id IS NOT NULL
          AND NOT EXISTS (SELECT FROM load_node p WHERE p.repo_id = n.repo_id AND p.code = n.code AND p.id = n.parent_id AND p.root_id = n.root_id)
          AND NOT EXISTS (SELECT FROM tree_node t WHERE t.repo_id = n.repo_id AND t.kind = n.code AND t.id = n.parent_id AND t.root_id = n.root_id) AS stray
      FROM load_node n) h JOIN load_record s ON s.number = h.number WHERE h."isRootMissing" OR h.stray ORDER BY h.number LIMIT ${limit}`);
  const stranded = await tx.any(sql.type(Stranded)`
    SELECT s.number, s.kind AS source_kind, s.id AS source_id, s.repo_id FROM load_record s
    WHERE s.repo_id IS NOT NULL AND NOT EXISTS (SELECT FROM record r WHERE r.kind = ${repository.name} AND r.id = s.repo_id) ORDER BY s.number LIMIT ${limit}`);
  const faults: StagedFault[] = [
    ...stranded.map((row) => ({
      faulty: row,
      errors: { repository: [noSuch(uriOf(repository, row.repo_id, null))] },
      errorClass: 'unknown_reference' as const,
    })),
    ...dangling.map((row) => {
      const kind = kindNamed(row.kind);
      const uri = uriOf(kind, row.id, kind.scope === 'repository' ? row.repo_id : null);
      return { faulty: row, errors: { [row.property]: [noSuch(uri)] }, errorClass: 'unknown_reference' };
    }),
    ...homeless.map((row) => {
      const root = kindNamed(row.source_kind).tree?.rootProperty ?? 'parent';
      const errors = row.isRootMissing
        ? { [root]: ['Reference does not exist!'] }
        : { parent: ['Must be a node of the same tree'] };
      return { faulty: row, errors, errorClass: 'unknown_reference' };
    }),
  ];
  faults.push(
    ...(await readOtherTerms(tx, limit)).map((row) => ({
      faulty: row,
      errors: { terms: [`${uriOf(term, row.id, null)} is another term here: '${row.term}' (${row.term_type})`] },
      errorClass: 'unknown_reference' as const,
    })),
  );
  faults.push(
    ...(await readLinkedElsewhere(tx, limit)).map((row) => ({
      faulty: row,
      errors: { repository: [`It went to another repository here, where ${row.by} links to it`] },
      errorClass: 'unknown_reference' as const,
    })),
  );
  if (!(await enterStagedKeys(tx))) faults.push(...(await readTaken(tx, limit)).map(keyFault));
  const failures = await failuresOf(tx, faults, { isAddressed: true });
  return faults.flatMap(({ faulty }, index) => {
    const failure = failures[index];
    return failure === undefined ? [] : [{ number: faulty.number, failure }];
  });
}
