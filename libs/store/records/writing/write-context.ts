// Who writes records, and where.
import type { GeneratedValues } from '#domain/kind.ts';

/**
 * Who writes, where, and the values that the pure code cannot make. `repoId` is null for global kinds. `keepsHidden`: the writer is not shown
 * links to suppressed records, so an update leaves them as they are. `keepsConfidential`: the same for the lists that kinds declare
 * confidential. `asksPlace`: a `position` in the body is asked for, and not part of a record that was read (PATCH).
 */
export type WriteContext = {
  readonly actor: string | null;
  readonly repoId: number | null;
  readonly generatedValues: GeneratedValues;
  readonly keepsHidden?: boolean;
  readonly keepsConfidential?: boolean;
  readonly asksPlace?: boolean;
};
