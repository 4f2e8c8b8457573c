// What may differ between two services that hold the same records: which field, of which records, of which release, and why.
import { expect, it } from 'vitest';
import type { Json } from '#domain/json.ts';
import { expectKept, keptText } from '#test/support/kept.ts';
import { compareRecords } from '../../../../apps/cli/migrate/compare.ts';

const paths = [
  ...[
    'position',
    'is_finding_aid_status_published',
    'internal_note',
    'notes',
    'collection',
    'collection/0/ref',
    'xcollection',
  ],
  ...[
    'linked_agents/0/is_primary',
    'linked_agents/0/x/is_primary',
    'file_versions/10/derived_from',
    'file_versions/0/link_uri',
  ],
  ...['file_versions/0/is_representative', 'representative_file_version', 'representative_file_version/x'],
  ...[
    'defaults/digital_object_spawn',
    'defaults/digital_object_spawn_x',
    'defaults/top_container_mgmt_x',
    'source',
    'x/source',
  ],
  ...['permissions/_archivesspace', 'permissions', 'grants_permissions', 'x/grants_permissions'],
  ...['lock_version', 'dates/3/lock_version', 'xlock_version', 'system_mtime', 'dates/0/system_mtime'],
  ...['create_time', 'dates/0/create_time', 'dates/0/user_mtime', 'dates/0/created_by', 'dates/0/last_modified_by'],
  ...[
    'collection_management/uri',
    'agent_contacts/0/telephones/1/uri',
    'revision_statements/2/uri',
    'dates/0/uri',
    'uri',
  ],
  ...['used_within_repositories/0', 'used_within_published_repositories', 'used_within', 'title'],
];
const types = [
  ...['repository', 'resource', 'archival_object', 'digital_object', 'digital_object_component', 'classification_term'],
  ...['top_container', 'container_profile', 'preference', 'user', 'accession'],
];

/** A record with a value at a path alone. */
function recordWith(path: string, value: Json, type: string): { readonly [name: string]: Json } {
  const [first = '', ...rest] = path.split('/');
  const below = rest.reduceRight<Json>((inner, step) => {
    if (!/^\d+$/.test(step)) return { [step]: inner };
    return [...Array.from({ length: Number(step) }, () => null), inner];
  }, value);
  return { jsonmodel_type: type, [first]: below };
}

it('is told for each field, where it is another and where the source has none', async () => {
  const told = paths.map((path) => {
    const outcomes = new Map<string, string[]>();
    for (const release of ['R-A', 'R-B'] as const)
      for (const type of types)
        for (const [how, theirs] of [
          ['another', recordWith(path, 'one', type)],
          ['none', recordWith(path, null, type)],
        ] as const) {
          const { differences, allowed } = compareRecords(theirs, recordWith(path, 'two', type), release);
          expect(differences.length + allowed.length, path).toBe(1);
          const [reason] = allowed;
          if (reason !== undefined)
            outcomes.set(reason, [...(outcomes.get(reason) ?? []), `${release} ${type} ${how}`]);
          else expect(differences).toEqual([{ path, source: how === 'none' ? null : 'one', here: 'two' }]);
        }
    const all = 2 * 2 * types.length;
    return [
      path,
      Object.fromEntries([...outcomes].map(([reason, of]) => [reason, of.length === all ? 'all' : of])),
    ] as const;
  });
  await expectKept(keptText(Object.fromEntries(told)), 'migrate/allowed.json');
});

it('is nothing between null, nothing and an empty list; what has items differs by the item', () => {
  const nothing: readonly Json[] = [null, []];
  for (const value of nothing) {
    expect(compareRecords({ x: value }, {}, 'R-B')).toEqual({ differences: [], allowed: [] });
    expect(compareRecords({}, { x: value }, 'R-B')).toEqual({ differences: [], allowed: [] });
  }
  expect(compareRecords({ x: [1, 2] }, { x: [1] }, 'R-B').differences).toEqual([
    { path: 'x/1', source: 2, here: undefined },
  ]);
  expect(compareRecords({ x: { y: 1 } }, { x: 'text' }, 'R-B').differences).toEqual([
    { path: 'x', source: { y: 1 }, here: 'text' },
  ]);
  expect(compareRecords({ x: [1] }, { x: { y: 1 } }, 'R-B').differences).toEqual([
    { path: 'x', source: [1], here: { y: 1 } },
  ]);
  for (const name of ['linked_agent_roles', 'member_usernames'])
    expect(compareRecords({ [name]: ['a', 'b'] }, { [name]: ['c', 'b', 'a'] }, 'R-B').differences).toEqual([
      { path: name, source: [], here: ['c'] },
    ]);
  expect(compareRecords({ roles: ['a', 'b'] }, { roles: ['b', 'a'] }, 'R-B').differences).toHaveLength(2);
});
