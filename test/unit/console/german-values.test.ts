// German names of controlled values: every one that a new installation begins with, in the lists that records show.
import { expect, it } from 'vitest';
import { readEnumerationLabels } from '#store/enumerations/labels.ts';
import { germanValues } from '../../../apps/console/words/german-values.ts';

it('names every value of its lists, and no other', () => {
  const labels = readEnumerationLabels();
  for (const [list, names] of Object.entries(germanValues)) {
    if (list === 'permission') continue;
    const known = labels[list];
    expect([list, Object.keys(names).toSorted()]).toEqual([list, Object.keys(known ?? {}).toSorted()]);
  }
});
