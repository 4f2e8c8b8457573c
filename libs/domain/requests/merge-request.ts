// Bodies of merge requests. The two releases name the same two things differently; a request may use either, and is checked under the
// names of the release that the service speaks (contract trees-and-jobs 4.1).
import type { JsonObject } from '../json.ts';
import { mergeableKinds } from '../merges/merges.ts';
import { refTo, refsTo } from '../schema/build.ts';
import type { Schema } from '../schema/property.ts';
import { agentKinds } from '../kinds/parts/agent-kinds.ts';

const names = {
  'R-A': { destination: 'target', candidates: 'victims' },
  'R-B': { destination: 'merge_destination', candidates: 'merge_candidates' },
} as const;
type Release = keyof typeof names;

const schemaOf = (name: 'merge_request' | 'merge_request_detail', release: Release): Schema => {
  const to = name === 'merge_request' ? mergeableKinds : agentKinds;
  const { destination, candidates } = names[release];
  return {
    name,
    properties: {
      uri: { type: 'string' },
      [destination]: { ...refTo(to), required: 'error' },
      [candidates]: { ...refsTo(to), minItems: 1 },
      ...(name === 'merge_request_detail' ? { selections: { type: 'object' } as const } : {}),
    },
  };
};

/** The name under which the registry of request schemas has the schema of a release. */
export const mergeSchemaName = (name: 'merge_request' | 'merge_request_detail', release: Release): string =>
  `${name} ${release}`;

/** All four schemas by that name. */
export const mergeSchemas: ReadonlyMap<string, Schema> = new Map(
  (['merge_request', 'merge_request_detail'] as const).flatMap((name) =>
    (['R-A', 'R-B'] as const).map((release) => [mergeSchemaName(name, release), schemaOf(name, release)]),
  ),
);

/** The names of the release; of the two spellings of a body the release's own counts. */
export const mergeNames = (release: Release): { readonly destination: string; readonly candidates: string } =>
  names[release];

/** A body under the names of a release, whichever it was sent with. */
export function inWordsOf(release: Release, body: JsonObject): JsonObject {
  const [own, other] = release === 'R-A' ? [names['R-A'], names['R-B']] : [names['R-B'], names['R-A']];
  const { [other.destination]: destination, [other.candidates]: candidates, ...rest } = body;
  return {
    ...(destination === undefined ? {} : { [own.destination]: destination }),
    ...(candidates === undefined ? {} : { [own.candidates]: candidates }),
    ...rest,
  };
}
