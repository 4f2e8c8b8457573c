// The columns behind the properties of a record.
import { expect, test } from 'vitest';
import { addParts, addProperties, columnOf, newDraft } from '#domain/spreadsheets/load/draft.ts';

test('finds the column of a property, of what holds it, or of something in it', () => {
  const draft = newDraft('archival_object', 'u');
  addProperties(draft, { body: { title: 'T' }, codes: { title: 'title', level: 'level' } });
  addParts(draft, 'dates', [{ body: { begin: '1' }, codes: { begin: 'begin', end: 'end' } }]);
  addParts(draft, 'dates', [{ body: { begin: '2' }, codes: { begin: 'begin_2' } }]);
  addParts(draft, 'notes', [{ body: {}, codes: { content: 'n_odd' } }], '/subnotes/0');
  expect(draft.body).toEqual({
    jsonmodel_type: 'archival_object',
    uri: 'u',
    title: 'T',
    dates: [{ begin: '1' }, { begin: '2' }],
    notes: [{}],
  });
  const found = (path: string): string => columnOf(draft.columns, path);
  expect(
    [
      'level',
      'dates/0/end',
      'dates/1/begin',
      'dates/1',
      'notes/0/subnotes/0/content',
      'notes/0/subnotes',
      'notes/0/subnotes/0/content/x',
      'extents',
    ].map(found),
  ).toEqual(['level', 'end', 'begin_2', 'begin_2', 'n_odd', 'n_odd', 'n_odd', 'extents']);
});
