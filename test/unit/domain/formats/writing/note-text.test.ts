import { expect, it } from 'vitest';
import { plainText } from '#domain/formats/writing/context.ts';
import { noteTexts, noteType, plainNoteTexts } from '#domain/formats/writing/note-text.ts';

it('flattens lists and chronologies in the order of the note', () => {
  const note = {
    subnotes: [
      { jsonmodel_type: 'note_text', content: 'Text' },
      {
        jsonmodel_type: 'note_chronology',
        title: 'Life',
        items: [{ event_date: '1900', place: 'Rome', events: ['born', 'cries'] }, { events: ['dies'] }],
      },
      {
        jsonmodel_type: 'note_definedlist',
        title: 'D',
        items: [
          { label: 'a', value: 'b' },
          { label: 'c', value: 'd' },
        ],
      },
      { jsonmodel_type: 'note_orderedlist', items: ['one', 'two'] },
      { jsonmodel_type: 'note_outline', levels: [{ items: ['x', { items: ['y'] }] }] },
      { jsonmodel_type: 'note_text', content: '  ' },
    ],
  };
  expect(noteTexts(note)).toEqual([
    'Text',
    'Life. 1900, Rome, born, cries; dies',
    'D. a: b; c: d',
    'one; two',
    'x',
    'y',
  ]);
});

it('gives the content of notes without sub-notes, one text each', () =>
  expect(noteTexts({ content: ['a', 'b'] })).toEqual(['a', 'b']));

it('names a note without a type by its kind', () =>
  expect([noteType({ jsonmodel_type: 'note_bibliography' }), noteType({ type: 'odd' })]).toEqual([
    'bibliography',
    'odd',
  ]));

it('knows every entity of HTML where documents have no markup, each once', () => {
  const text = 'Espa&ntilde;a &Auml; &frac12; <emph>&amp;ntilde;</emph>';
  expect(plainText(text)).toBe('España Ä ½ &ntilde;');
  expect(plainNoteTexts({ content: [text] })).toEqual(['España Ä ½ &ntilde;']);
});
