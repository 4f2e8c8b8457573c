// The history of records: states kept as revisions and the record itself, read in one statement without bodies, then the bodies that are asked for.
// A deleted record has a history too: its revisions stay.
import { z } from 'zod';
import type { Kind } from '#domain/kind.ts';
import type { JsonObject } from '#domain/json.ts';
import { fail } from '#domain/errors.ts';
import type { Difference } from '#domain/history/diff.ts';
import { differences } from '#domain/history/diff.ts';
import type { State, Step } from '#domain/history/steps.ts';
import { stateOf, stepsOf } from '#domain/history/steps.ts';
import type { Reader } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import { withoutHiddenNow } from '../reading/hidden-refs.ts';
import type { Viewer } from '../reading/viewer.ts';
import type { RecordRow } from '../reading/row.ts';
import { composeRecord } from '../reading/compose.ts';

/** Whose history, who looks, and the properties that this viewer may not see (contacts of agents). */
export type HistoryOf = {
  readonly kind: Kind;
  readonly id: number;
  readonly repoId: number | null;
  readonly viewer: Viewer;
  readonly hidden: readonly string[];
};

const StateRow = z.strictObject({
  n: column.maybeInt,
  lockVersion: column.int,
  label: column.text,
  by: column.maybeText,
  at: column.time,
  op: column.maybeText,
  actor: column.maybeText,
  replacedAt: column.maybeTime,
  suppressed: column.bool,
});

/** The states of a record from old to new. Served by the primary keys of revision and of the kind's partition. */
async function statesOf(reader: Reader, { kind, id, repoId, viewer }: HistoryOf): Promise<readonly State[]> {
  const rows = await reader.any(sql.type(StateRow)`
    SELECT n, lock_version AS "lockVersion", label, last_modified_by AS by, user_mtime AS at, op, actor, at AS "replacedAt", suppressed
    FROM revision WHERE kind = ${kind.name} AND id = ${id} AND repo_id IS NOT DISTINCT FROM ${repoId}::int
    UNION ALL SELECT NULL, lock_version, label, last_modified_by, user_mtime, NULL, NULL, NULL, suppressed
    FROM record WHERE kind = ${kind.name} AND id = ${id} AND repo_id IS NOT DISTINCT FROM ${repoId}::int
    ORDER BY n NULLS LAST`);
  const last = rows.at(-1);
  // Whether it is hidden is told by the record as it is, or was at its end.
  if (last === undefined || (last.suppressed && !viewer.seesSuppressed))
    throw fail('not_found', `${kind.model} not found`);
  return rows;
}

const Content = z.strictObject({
  n: column.maybeInt,
  body: column.text,
  publish: column.maybeBool,
  suppressed: column.bool,
});
type Content = z.infer<typeof Content>;

async function contentsOf(
  reader: Reader,
  { kind, id }: HistoryOf,
  states: readonly State[],
): Promise<ReadonlyMap<number | null, Content>> {
  const numbers = states.flatMap((state) => (state.n === null ? [] : [state.n]));
  const rows = await reader.any(sql.type(Content)`
    SELECT n, body, publish, suppressed FROM revision WHERE kind = ${kind.name} AND id = ${id} AND n = ANY(${sql.array(numbers, 'int8')})
    UNION ALL SELECT NULL, body, publish, suppressed FROM record WHERE kind = ${kind.name} AND id = ${id} AND ${states.some((state) => state.n === null)}`);
  return new Map(rows.map((row) => [row.n, row]));
}

/** The bodies of contents as the viewer may see them, by number: without what is hidden from this viewer. */
async function visibleBodies(
  reader: Reader,
  { kind, viewer, hidden }: HistoryOf,
  contents: Iterable<Content>,
): Promise<ReadonlyMap<number | null, JsonObject>> {
  const list = [...contents];
  // Stored bodies are our own canonical text.
  const bodies = list.map((content): JsonObject => JSON.parse(content.body));
  const shown = viewer.seesSuppressed ? bodies : await withoutHiddenNow(reader, kind, bodies);
  return new Map(
    list.map(({ n }, index) => [
      n,
      Object.fromEntries(Object.entries(shown[index] ?? {}).filter(([property]) => !hidden.includes(property))),
    ]),
  );
}

/** A body with the flags that are kept beside it. */
function withFlags(kind: Kind, content: Content | undefined, body: JsonObject = {}): JsonObject {
  const flags =
    content === undefined
      ? {}
      : {
          ...(content.publish === null ? {} : { publish: content.publish }),
          ...(kind.suppressible === true ? { suppressed: content.suppressed } : {}),
        };
  return { ...flags, ...body };
}

/** One step as clients see it: its version, the place of what it led to among the states of the record (null: it was deleted), what was done, by whom and when, and what changed property by property. */
export type HistoryEntry = {
  readonly version: number;
  readonly state: number | null;
  readonly op: string;
  readonly by: string | null;
  readonly at: string;
  readonly title: string;
  readonly changes: readonly Difference[];
};

/** A page of the history, newest first, with the number of all steps. Two round trips, three for those who do not see suppressed records. Fails with `not_found`. */
export async function readHistory(
  reader: Reader,
  about: HistoryOf,
  page: { readonly offset: number; readonly limit: number },
): Promise<{ readonly total: number; readonly entries: readonly HistoryEntry[] }> {
  const states = await statesOf(reader, about);
  const steps = stepsOf(states);
  const shown = steps.slice(page.offset, page.offset + page.limit);
  const contents = await contentsOf(
    reader,
    about,
    shown.flatMap((step) => [step.from, step.to].filter((state) => state !== null)),
  );
  const bodies = await visibleBodies(reader, about, contents.values());
  const bodyOf = ({ n }: State): JsonObject => withFlags(about.kind, contents.get(n), bodies.get(n));
  const changes = (step: Step): readonly Difference[] =>
    step.from === null || step.to === null ? [] : differences(bodyOf(step.from), bodyOf(step.to));
  return {
    total: steps.length,
    entries: shown.map((step) => ({
      version: step.version,
      state: step.to === null ? null : states.indexOf(step.to),
      op: step.op,
      by: step.by,
      at: step.at,
      title: step.label,
      changes: changes(step),
    })),
  };
}

/** A version with its content. `shown` is what the viewer may see of its body. `current` is the stored body of the record now, null where it is deleted; `lastBody` that or the one it had last; `first` tells who made it and when. */
export type Version = {
  readonly state: State;
  readonly body: JsonObject;
  readonly shown: JsonObject;
  readonly publish: boolean | null;
  readonly suppressed: boolean;
  readonly current: JsonObject | null;
  readonly lastBody: JsonObject;
  readonly first: State;
  readonly last: State;
};

/** One version, or one of its states by place. Fails with `not_found`, also where the record had no such version. Two round trips, or three as in readHistory. */
export async function readVersion(
  reader: Reader,
  about: HistoryOf,
  version: number,
  place: number | null,
): Promise<Version> {
  const states = await statesOf(reader, about);
  const state = stateOf(states, version, place);
  const [first, last] = [states[0], states.at(-1)];
  if (state === null || first === undefined || last === undefined)
    throw fail('not_found', `${about.kind.model} has no version ${version}`);
  const contents = await contentsOf(reader, about, [state, last]);
  const content = contents.get(state.n);
  // Saved or deleted between the two statements.
  if (content === undefined) throw fail('unavailable', 'The record was changed meanwhile; try again');
  const lastBody: JsonObject = JSON.parse(contents.get(last.n)?.body ?? '{}');
  return {
    state,
    body: JSON.parse(content.body),
    shown: (await visibleBodies(reader, about, [content])).get(state.n) ?? {},
    publish: content.publish,
    suppressed: content.suppressed,
    current: last.n === null && contents.has(null) ? lastBody : null,
    lastBody,
    first,
    last,
  };
}

/** The text of a version in the form that GET shows records, without what is computed from other records. */
export function versionText(about: HistoryOf, version: Version): string {
  const { kind, id, repoId } = about;
  const { state, first } = version;
  const row: RecordRow = {
    kind: kind.name,
    id,
    repo_id: repoId,
    lock_version: state.lockVersion,
    publish: version.publish,
    suppressed: version.suppressed,
    label: state.label,
    created_by: first.by,
    last_modified_by: state.by,
    create_time: first.at,
    system_mtime: state.at,
    user_mtime: state.at,
    body: JSON.stringify(version.shown),
  };
  return composeRecord(kind, row, '', { release: about.viewer.release });
}
