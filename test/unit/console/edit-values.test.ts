// What a form sends: what was changed and nothing else, and what of two versions differs.
import { expect, it } from 'vitest';
import {
  at,
  bare,
  changedBetween,
  contains,
  moved,
  patchOf,
  put,
  unstorableIn,
} from '../../../apps/console/edit/values.ts';

const stored = {
  title: 'Charts',
  dates: [{ jsonmodel_type: 'date', begin: '1900', lock_version: 3, system_mtime: 'then' }],
  linked_agents: [{ ref: '/agents/people/1', _resolved: { title: 'Wallis' } }],
  collection_management: { processing_plan: 'Soon', processors: 'Two' },
};
const names = Object.keys(stored);

it('changes a value without touching what was there', () => {
  const next: any = put(stored, 'dates/0/begin', '1901');
  expect(at(next, 'dates/0/begin')).toBe('1901');
  expect(stored.dates[0]?.begin).toBe('1900');
  expect(next.linked_agents).toBe(stored.linked_agents);
  expect(Object.keys(put(stored, 'title', undefined) as object)).not.toContain('title');
  expect(put({}, 'a/b', 1)).toEqual({ a: { b: 1 } });
});

it('sends nothing for what the service alone keeps, and no empty fields', () => {
  const seen = { ...stored, dates: [{ ...stored.dates[0], lock_version: 4, system_mtime: 'now', end: '' }] };
  expect(changedBetween(names, stored, seen)).toEqual([]);
  expect(bare(seen.linked_agents)).toEqual([{ ref: '/agents/people/1' }]);
  expect(changedBetween(['notes'], {}, { notes: [] })).toEqual([]);
});

it('makes a patch of what was changed: lists whole, objects by property, null for what is gone', () => {
  const typed = {
    ...stored,
    title: '',
    dates: [],
    collection_management: { processing_plan: 'Later', processors: '' },
  };
  expect(patchOf(names, stored, typed)).toEqual({
    title: null,
    dates: [],
    collection_management: { processing_plan: 'Later', processors: null },
  });
});

it('puts an entry of a list in another place', () => {
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
  expect(moved(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'c', 'b']);
});

it('knows what was said again where the service has added to it, and nowhere else', () => {
  const said = { dates: [{ jsonmodel_type: 'date', begin: '1900', end: '' }], notes: [], title: 'Charts' };
  expect(contains({ ...said, dates: [{ ...said.dates[0], era: 'ce', lock_version: 0 }], publish: false }, said)).toBe(
    true,
  );
  expect(contains({ ...said, dates: [{ jsonmodel_type: 'date', begin: '1901' }] }, said)).toBe(false);
  expect(contains({ ...said, dates: [...said.dates, { begin: '1950' }] }, said)).toBe(false);
  expect(contains({ title: 'Charts' }, said)).toBe(false);
  expect(contains({ title: 'Charts', notes: ['more'] }, { title: 'Charts', notes: [] })).toBe(false);
});

it('names the texts that no database stores by where they stand, at the top and within', () => {
  expect(
    unstorableIn({ title: 'a\0', dates: [{ begin: '1900' }, { expression: '\uD800' }], id_0: '\u{1F600}' }),
  ).toEqual(['title', 'dates/1/expression']);
  expect(unstorableIn({ title: 'Charts', level: null })).toEqual([]);
});
