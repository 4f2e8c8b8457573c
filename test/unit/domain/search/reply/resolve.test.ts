import { expect, it } from 'vitest';
import { attachResolved, parseResolveRules, sourceValues } from '#domain/search/reply/resolve.ts';

const rows = [
  { id: 'a', resource: '/r/1' },
  { id: 'b', resource: '/r/2' },
  { id: 'c', subject_uris: ['/s/1', '/s/2'] },
];

it('reads rules and refuses what is none', () => {
  expect(parseResolveRules(['resource:uri@compact_resource', '', 'subject_uris:id'])).toEqual([
    { source: 'resource', target: 'uri', isCompact: true },
    { source: 'subject_uris', target: 'id', isCompact: false },
  ]);
  for (const text of ['resource', 'a:b:c', 'resource:uri@other', 'resource:nonsense'])
    expect(() => parseResolveRules([text])).toThrow(expect.objectContaining({ code: 'bad_parameter' }));
});

it('puts documents beside the rows that name them', () => {
  const [rule] = parseResolveRules(['resource:uri@compact_resource']);
  if (rule === undefined) throw new Error('no rule');
  expect(sourceValues(rows, rule)).toEqual(['/r/1', '/r/2']);
  const found = { uri: '/r/1', json: JSON.stringify({ uri: '/r/1', title: 'Papers', notes: [] }) };
  expect(attachResolved(rows, rule, [found]).map((row) => row['_resolved_resource'])).toEqual([
    { '/r/1': [{ title: 'Papers', uri: '/r/1' }] },
    null,
    null,
  ]);
});
