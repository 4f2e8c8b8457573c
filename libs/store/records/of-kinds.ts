// Statements over records of several kinds: planned for the partitions of those kinds, and not for all there are.
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';

/**
 * A condition on `alias`, a row of `record`, that says which kinds it can have. It changes nothing where rows are found by kind and id; but where the
 * kind comes out of the statement itself, PostgreSQL plans for the partitions of every kind, some 2 ms of its processor's time, which is most of what
 * a save takes (docs/decisions/0051). As a parameter it serves as well as a constant, since such statements are planned anew each time.
 */
export const ofKinds = (kinds: Iterable<string>, alias = 'r'): Fragment =>
  sql.fragment`${sql.identifier([alias])}.kind = ANY(${sql.array([...new Set(kinds)], 'text')})`;
