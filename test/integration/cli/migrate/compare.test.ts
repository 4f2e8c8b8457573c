// What of two records differs, what may, and for which release.
import { expect, it } from 'vitest';
import { compareRecords } from '../../../../apps/cli/migrate/compare.ts';

it('tells each field by its path, and takes null, nothing and an empty list for the same', () => {
  const { differences, allowed } = compareRecords(
    { uri: '/a/1', title: 'One', notes: [{ content: ['a', 'b'] }], dates: [], slug: null, extents: [{ number: '1' }] },
    { uri: '/a/1', title: 'Two', notes: [{ content: ['a', 'c', 'd'] }], extents: [] },
    'R-B',
  );
  expect(differences).toEqual([
    { path: 'title', source: 'One', here: 'Two' },
    { path: 'notes/0/content/1', source: 'b', here: 'c' },
    { path: 'notes/0/content/2', source: undefined, here: 'd' },
    { path: 'extents/0', source: { number: '1' }, here: undefined },
  ]);
  expect(allowed).toEqual([]);
});

it('lets saves and parts be counted and dated anew, but not the record itself', () => {
  const source = {
    lock_version: 7,
    system_mtime: '2001',
    create_time: '2001',
    created_by: 'ann',
    names: [{ lock_version: 2, created_by: 'ann', create_time: '2001', primary_name: 'Ann' }],
    collection_management: { uri: '/repositories/2/collection_management/7', processing_plan: 'x' },
    linked_agents: [{ terms: [{ uri: '/terms/1' }] }],
  };
  const here = {
    lock_version: 0,
    system_mtime: '2026',
    create_time: '2026',
    created_by: 'bea',
    names: [{ lock_version: 0, created_by: 'bea', create_time: '2026', primary_name: 'Ann' }],
    collection_management: { uri: '/repositories/2/collection_management/1', processing_plan: 'x' },
    linked_agents: [{ terms: [{ uri: '/terms/2' }] }],
  };
  const { differences, allowed } = compareRecords(source, here, 'R-B');
  expect(differences.map(({ path }) => path)).toEqual(['create_time', 'created_by', 'linked_agents/0/terms/0/uri']);
  expect(allowed.length).toBe(4);
});

it('takes lists without an order for sets, and tells what only one side has', () => {
  const set = (...member_usernames: string[]) => ({ member_usernames });
  expect(compareRecords(set('a', 'b'), set('b', 'a'), 'R-B').differences).toEqual([]);
  expect(compareRecords(set('a', 'b'), set('b', 'c'), 'R-B').differences).toEqual([
    { path: 'member_usernames', source: ['a'], here: ['c'] },
  ]);
});

it('lets what the earlier release does not have be more here, of that release alone, and never less', () => {
  const bare = { jsonmodel_type: 'resource', linked_agents: [{ ref: '/agents/people/1' }] };
  const full = {
    jsonmodel_type: 'resource',
    is_finding_aid_status_published: true,
    linked_agents: [{ ref: '/agents/people/1', is_primary: false }],
  };
  expect(compareRecords(bare, full, 'R-A').differences).toEqual([]);
  expect(compareRecords(bare, full, 'R-B').differences.length).toBe(2);
  expect(compareRecords(full, bare, 'R-A').differences.length).toBe(2);
  const noted = (jsonmodel_type: string) =>
    compareRecords(
      { jsonmodel_type },
      { jsonmodel_type, notes: [{}], internal_note: 'x', position: 1 },
      'R-A',
    ).differences.map(({ path }) => path);
  expect([noted('container_profile'), noted('top_container'), noted('repository'), noted('accession')]).toEqual([
    ['internal_note', 'position'],
    ['notes', 'position'],
    ['notes', 'internal_note'],
    ['notes', 'internal_note', 'position'],
  ]);
  const user = { jsonmodel_type: 'user', source: 'local' };
  expect(compareRecords(user, { jsonmodel_type: 'user' }, 'R-A').differences).toEqual([]);
  const subject = { jsonmodel_type: 'subject', source: 'local' };
  expect(compareRecords(subject, { jsonmodel_type: 'subject', source: 'lcsh' }, 'R-A').differences.length).toBe(1);
});

it('leaves positions in trees to the comparison of their order, and compares those of repositories', () => {
  const at = (jsonmodel_type: string, position: number) => ({ jsonmodel_type, position });
  expect(compareRecords(at('archival_object', 3), at('archival_object', 2), 'R-B').differences).toEqual([]);
  expect(compareRecords(at('repository', 3), at('repository', 2), 'R-B').differences.length).toBe(1);
});
