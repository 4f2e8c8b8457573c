// The history of a record as steps between its states. A state is the content of a version: kept as a revision before each update and
// delete, and the record itself. What replaced a state is told by its revision, so each step knows who took it, when, and what it was.

/** A state without its body. `n` is the number of its revision, null for the record as it is now; the rest of `kept` tells what replaced it. */
export type State = {
  readonly n: number | null;
  readonly lockVersion: number;
  readonly label: string;
  /** Who wrote this state, and when. */
  readonly by: string | null;
  readonly at: string;
  readonly op: string | null;
  readonly actor: string | null;
  readonly replacedAt: string | null;
};

/**
 * A step: from a state to the next one. `from` is null where a record came into being, `to` where it was deleted. A version is a
 * lock_version; two steps may lead to one version (a ref went because its target was deleted; the record was published).
 */
export type Step = {
  readonly version: number;
  readonly op: string;
  readonly by: string | null;
  readonly at: string;
  readonly label: string;
  readonly from: State | null;
  readonly to: State | null;
};

/** The steps of the states of one record, given from old to new; newest first. */
export function stepsOf(states: readonly State[]): readonly Step[] {
  const steps: Step[] = [];
  for (const [index, state] of states.entries()) {
    const before = states[index - 1];
    if (before === undefined || before.op === 'delete') {
      const op = before === undefined ? (state.lockVersion === 0 ? 'create' : 'unknown') : 'undelete';
      steps.push({
        version: state.lockVersion,
        op,
        by: state.by,
        at: state.at,
        label: state.label,
        from: null,
        to: state,
      });
    } else if (state.lockVersion > before.lockVersion + 1) {
      // Some versions between were not kept: what is known is who wrote this one.
      steps.push({
        version: state.lockVersion,
        op: 'update',
        by: state.by,
        at: state.at,
        label: state.label,
        from: before,
        to: state,
      });
    } else {
      steps.push({
        version: state.lockVersion,
        op: before.op ?? 'update',
        by: before.actor,
        at: before.replacedAt ?? state.at,
        label: state.label,
        from: before,
        to: state,
      });
    }
    if (state.op === 'delete')
      steps.push({
        version: state.lockVersion + 1,
        op: 'delete',
        by: state.actor,
        at: state.replacedAt ?? state.at,
        label: state.label,
        from: state,
        to: null,
      });
  }
  return steps.reverse();
}

/**
 * The state of a version: the last one that had this lock_version, or the one at `place` among all states, where it had. Publishing and
 * suppressing change a record without a new version, so that one version may have several states.
 */
export function stateOf(states: readonly State[], version: number, place: number | null = null): State | null {
  if (place === null) return states.findLast((state) => state.lockVersion === version) ?? null;
  const state = states[place];
  return state?.lockVersion === version ? state : null;
}
