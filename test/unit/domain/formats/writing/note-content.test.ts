// What notes say, for the elements that they become.
import { expect, test } from 'vitest';
import { byAudience } from '#domain/formats/writing/note-content.ts';

const text = (content: string, publish: boolean) => ({ jsonmodel_type: 'note_text', content, publish });

test('a note of which some texts are not published is two for elements without paragraphs, one with all others', () => {
  const note = { type: 'legalstatus', label: 'L', persistent_id: 'a', publish: true };
  const [a, b] = [text('a', true), text('b', false)];
  const shared = { type: 'legalstatus', label: 'L' };
  expect(byAudience({ ...note, subnotes: [a, b] })).toEqual([
    { ...shared, persistent_id: 'a', publish: true, subnotes: [a] },
    { ...shared, persistent_id: null, publish: false, content: [], subnotes: [b] },
  ]);
  expect(byAudience({ ...note, subnotes: [b] })).toEqual([{ ...note, publish: false, subnotes: [b] }]);
  for (const whole of [
    { ...note, subnotes: [a] },
    { ...note, content: ['x'] },
    { ...note, publish: false, subnotes: [a, b] },
  ])
    expect(byAudience(whole)).toEqual([whole]);
});
