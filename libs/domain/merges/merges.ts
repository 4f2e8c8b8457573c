// What may be merged into what, and who may (contract trees-and-jobs 4.1, 4.2).
import { parseUri } from '../addresses.ts';
import { fail } from '../errors.ts';
import type { Kind, Permission } from '../kind.ts';
import type { RecordAddress } from '../uri.ts';
import { agentKinds } from '../kinds/parts/agent-kinds.ts';
import { agentPerson } from '../kinds/agent_person.ts';
import { containerProfile } from '../kinds/container_profile.ts';
import { digitalObject } from '../kinds/digital_object.ts';
import { resource } from '../kinds/resource.ts';
import { subject } from '../kinds/subject.ts';
import { topContainer } from '../kinds/top_container.ts';

/** A merge route: the kinds it takes, the words of its refusal, the permission, and whether it works in a repository. */
export type MergeDeclaration = {
  readonly kinds: readonly string[];
  readonly refusal: string;
  readonly permission: Permission;
  readonly inRepository: boolean;
  readonly key: 'merge_request' | 'merge_request_detail';
};

function only(kind: Kind): MergeDeclaration {
  const permission = kind.may.merge;
  if (permission === undefined) throw new Error(`kind ${kind.name} cannot be merged`);
  return {
    kinds: [kind.name],
    refusal: `This merge request can only merge ${kind.name} records`,
    permission,
    inRepository: kind.scope === 'repository',
    key: 'merge_request',
  };
}

const agent: MergeDeclaration = {
  ...only(agentPerson),
  kinds: agentKinds,
  refusal: 'Agent merge request can only merge agent records',
};

/** The merges by the last part of their path. */
export const merges = {
  agent,
  agent_detail: { ...agent, key: 'merge_request_detail' },
  subject: only(subject),
  container_profile: only(containerProfile),
  top_container: only(topContainer),
  resource: only(resource),
  digital_object: only(digitalObject),
} as const satisfies { readonly [what: string]: MergeDeclaration };

/** The last part of the path of a merge. */
export type MergeWhat = keyof typeof merges;

/** Whether a value is the last part of the path of a merge. */
export const isMergeWhat = (value: unknown): value is MergeWhat =>
  typeof value === 'string' && Object.hasOwn(merges, value);

/** The kinds that any merge takes, which the body's schema allows. */
export const mergeableKinds: readonly string[] = [...new Set(Object.values(merges).flatMap((merge) => merge.kinds))];

/** The records of a merge: the one that stays, and those that go into it, each once and the survivor not among them. */
export type MergeRecords = { readonly survivor: RecordAddress; readonly gone: readonly RecordAddress[] };

/** Reads the uris of a request. Fails with `merge_refused` for records of another kind or another repository. */
export function toMergeRecords(
  what: MergeWhat,
  destination: string,
  candidates: readonly string[],
  repoId: number | null,
): MergeRecords {
  const { kinds, refusal, key }: MergeDeclaration = merges[what];
  const addresses = [destination, ...candidates].map((uri) => {
    const address = parseUri(uri);
    if (address === null || !kinds.includes(address.kind)) throw fail('merge_refused', { [key]: [refusal] });
    return address;
  });
  if (addresses.some((address) => address.repoId !== repoId))
    throw fail('merge_refused', { [key]: ['All records to merge must be in the repository specified'] });
  const [survivor, ...others] = addresses;
  if (survivor === undefined) throw fail('merge_refused', { [key]: [refusal] });
  const gone = others.filter(
    (one, index) => !isSame(one, survivor) && others.findIndex((other) => isSame(one, other)) === index,
  );
  return { survivor, gone };
}

const isSame = (one: RecordAddress, other: RecordAddress): boolean => one.kind === other.kind && one.id === other.id;
