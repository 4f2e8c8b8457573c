// What may be merged into what, and who may (contract trees-and-jobs 4.1, 4.2).
import { parseUri } from '../addresses.ts';
import { fail } from '../errors.ts';
import type { Permission } from '../kind.ts';
import { agentKinds } from '../schema/build.ts';
import type { RecordAddress } from '../uri.ts';

/** A merge route: the kinds it takes, the words of its refusal, the permission, and whether it works in a repository. */
export type MergeDeclaration = {
  readonly kinds: readonly string[];
  readonly refusal: string;
  readonly permission: Permission;
  readonly inRepository: boolean;
  readonly key: 'merge_request' | 'merge_request_detail';
};

const only = (kind: string, permission: Permission, inRepository: boolean): MergeDeclaration => ({
  kinds: [kind],
  refusal: `This merge request can only merge ${kind} records`,
  permission,
  inRepository,
  key: 'merge_request',
});
const agent: MergeDeclaration = {
  kinds: agentKinds,
  refusal: 'Agent merge request can only merge agent records',
  permission: 'merge_agent_record',
  inRepository: false,
  key: 'merge_request',
};

/** The merges by the last part of their path. */
export const merges = {
  agent,
  agent_detail: { ...agent, key: 'merge_request_detail' },
  subject: only('subject', 'merge_subject_record', false),
  container_profile: only('container_profile', 'update_container_profile_record', false),
  top_container: only('top_container', 'manage_container_record', true),
  resource: only('resource', 'merge_archival_record', true),
  digital_object: only('digital_object', 'merge_archival_record', true),
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
