// What the routes of a kind are called: the names of operations in generated clients, and the area of the documentation. All follow from its
// address: `/repositories/:repo_id/archival_objects/:id` gives getArchivalObject, listArchivalObjects and "archival objects".
import type { Kind } from '#domain/kind.ts';

/** `archival_objects` as `ArchivalObjects`. */
export const pascal = (name: string): string =>
  name
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

/** One record of a kind in names of operations: `ArchivalObject`. */
export const operationName = (kind: Kind): string => pascal(kind.name);

/** Several records of a kind, as the last parts of the address have it: `ArchivalObjects`; `AgentPeople` of `/agents/people`. */
export const operationNames = (kind: Kind): string => pascal(pluralOf(kind));

/** The area of the documentation that a kind's routes stand in: "archival objects", "agent people". */
export const areaOf = (kind: Kind): string => pluralOf(kind).replaceAll('_', ' ');

/** The plural, with what it stands below where that is no repository. */
function pluralOf(kind: Kind): string {
  const around = kind.uri.split('/').at(-3) ?? '';
  return around === '' || around.startsWith(':') ? kind.plural : `${around.replace(/s$/, '')}_${kind.plural}`;
}
