// What the rows of statements that only tests run are.
import { z } from 'zod';

/** Rows of whatever columns, for tests that compare them whole. */
export const AnyRow = z.unknown();
/** Lines of what EXPLAIN tells. */
export const PlanRow = z.strictObject({ 'QUERY PLAN': z.string() });
