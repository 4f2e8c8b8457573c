// What the audit log tells of a change to a group: what it grants since and no more, and who came into it and who left.
import type { JsonObject } from '#domain/json.ts';
import { textsOf } from '#domain/json.ts';
import { readGroups } from '#store/access/groups.ts';
import type { Reader } from '#store/connection/database.ts';

/** What decides who may do what: the code of a group, its permissions and members. */
export type GroupState = {
  readonly code: string;
  readonly grants: readonly string[];
  readonly members: readonly string[];
};

const nothing: GroupState = { code: '', grants: [], members: [] };

/** A group as it is; without grants and members where there is none of this id. */
export async function groupState(reader: Reader, repoId: number, id: number): Promise<GroupState> {
  const [text] = await readGroups(reader, repoId, { id }, true);
  if (text === undefined) return nothing;
  // Our own text.
  const record: JsonObject = JSON.parse(text);
  return {
    code: String(record['group_code'] ?? ''),
    grants: textsOf(record, 'grants_permissions'),
    members: textsOf(record, 'member_usernames'),
  };
}

/** What is different between two states, for the details of an entry; lists that nothing changed in are left out. */
export function groupChanges(before: GroupState, after: GroupState): JsonObject {
  const lists = {
    granted: missingIn(before.grants, after.grants),
    revoked: missingIn(after.grants, before.grants),
    joined: missingIn(before.members, after.members),
    left: missingIn(after.members, before.members),
  };
  return {
    group_code: after.code === '' ? before.code : after.code,
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
  };
}

const missingIn = (list: readonly string[], other: readonly string[]): readonly string[] =>
  other.filter((each) => !list.includes(each));
