// The rule that generic code names no kinds.
import { expect, test } from 'vitest';
import { kindNamesOf, namedKinds } from '../../../../scripts/check-tree/kind-names.ts';
import { sourceFile } from '../../../../scripts/check-tree/tree.ts';

const names = new Set(['resource', 'archival_object', 'top_container', 'event', 'group', 'term', 'user', 'vocabulary']);
const count = (code: string, path = 'libs/store/records/writing/write.ts'): number =>
  namedKinds(sourceFile(path, code), names).length;

test('kinds are called as the files that declare them', () => {
  const files = ['kinds/event.ts', 'kinds/index.ts', 'kinds/parts/agent.ts', 'subrecords/date.ts'];
  expect([...kindNamesOf(files.map((path) => sourceFile(`libs/domain/${path}`, '')))]).toEqual(['event']);
});

test.each([
  ["kind.name === 'archival_object'", 1],
  ["readRecords(reader, 'top_container', ids)", 1],
  ["const boxed = ['resource', 'top_container'];", 2],
  ["sql`WHERE l.target_kind IN ('resource', 'archival_object')`", 2],
  ["switch (kind) { case 'resource': }", 1],
])('a name that means nothing else counts: %s', (code, times) => {
  expect(count(code)).toBe(times);
});

test.each([
  "textOf(objectOf(instance, 'sub_container'), 'top_container')",
  "body['resource']",
  "sql`body->>'resource' AND l.property = 'top_container'`",
  "{ instance_type: 'top_container' }",
  "// the kind 'archival_object'",
])('a property, the value of one, or a comment does not: %s', (code) => {
  expect(count(code)).toBe(0);
});

test.each([
  ["kind.name === 'term'", 1],
  ["kindNamed('event')", 1],
  ["{ kind: 'user', id }", 1],
  ["value['jsonmodel_type'] !== 'term'", 1],
  ["new Set(['term', 'vocabulary'])", 2],
  ["sql`r.kind <> ALL(ARRAY['user', 'group']) OR l.source_kind = 'event'`", 3],
  ["sql`s.kind NOT IN ('event', 'user')`", 2],
])('a word with other meanings counts where it is used as a kind: %s', (code, times) => {
  expect(count(code)).toBe(times);
});

test.each(["textOf(term, 'term')", "node.role === 'group'", "['term', 'Term']", "'group ' || g.group_id"])(
  'and nowhere else: %s',
  (code) => {
    expect(count(code)).toBe(0);
  },
);

test('nodes of queries have kinds of their own', () => {
  const code = "import type { QueryNode } from '#domain/search/query/ast.ts';\nif (node.kind === 'term') visit(node);";
  expect([count(code), count(code.replace('ast', 'other'))]).toEqual([0, 1]);
});

test('rooms about particular kinds, tests and scripts may name them', () => {
  const code = "kind.name === 'resource'";
  const paths = ['libs/domain/kinds/resource.ts', 'apps/api/routes/users.ts', 'test/unit/x.test.ts', 'scripts/x.ts'];
  expect(paths.map((path) => count(code, path))).toEqual([0, 0, 0, 0]);
});
