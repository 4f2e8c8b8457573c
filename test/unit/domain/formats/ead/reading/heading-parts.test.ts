// The parts of headings in EAD3, by what they are called (@localtype).
import { expect, test } from 'vitest';
import { readDocument } from '#test/support/ead-document.ts';

const headed = (
  headings: string,
): string => `<ead xmlns="http://ead3.archivists.org/schema/"><control><recordid>e3</recordid></control>
  <archdesc level="collection"><did><unittitle>Papers</unittitle><unitid>MS 1</unitid><unitdate>1900</unitdate></did>${headings}</archdesc></ead>`;

test('whatever a part of a name is called, by words or by the codes of MARC, it becomes the property of that', async () => {
  const told = {
    persname: {
      rest_of_name: ['forename'],
      number: ['b', 'number', 'numeration'],
      title: ['c', 'title'],
      dates: ['d', 'dates', 'existDates'],
      fuller_form: ['q', 'fullerForm'],
      prefix: ['prefix'],
      qualifier: ['qualifier'],
      suffix: ['suffix'],
    },
    corpname: {
      subordinate_name_1: ['b', 'secondaryPart', 'tertiaryPart'],
      dates: ['d', 'existDates'],
      number: ['n', 'number'],
      qualifier: ['qualifier'],
    },
  };
  const main = { persname: ['a', 'surname'], corpname: ['a', 'primaryPart'] };
  for (const element of ['persname', 'corpname'] as const) {
    const parts = Object.entries(told[element]).flatMap(([property, types]) =>
      types.flatMap((type) => main[element].map((first) => ({ property, type, first, text: `${first} and ${type}` }))),
    );
    const headings = parts.map(
      ({ type, first, text }) =>
        `<${element}><part localtype="${first}">Bell,</part><part localtype="${type}">${text}</part></${element}>`,
    );
    const { records } = await readDocument(headed(`<controlaccess>${headings.join('')}</controlaccess>`));
    expect(records.flatMap((record) => record['names'] ?? [])).toMatchObject(
      parts.map(({ property, text }) => ({ primary_name: 'Bell', [property]: text })),
    );
  }
});

test('whatever a part of a subject is called, it has the type of that', async () => {
  const types = {
    topical: ['topical', 'x'],
    geographic: ['geographic', 'z'],
    temporal: ['temporal', 'y'],
    genre_form: ['genre_form', 'v'],
    function: ['function'],
    occupation: ['occupation'],
    uniform_title: ['uniform_title'],
  };
  const terms = Object.entries(types).flatMap(([term_type, called]) => called.map((term) => ({ term, term_type })));
  const parts = terms.map(({ term }) => `<part localtype="${term}">${term}</part>`).join('');
  const { of } = await readDocument(headed(`<controlaccess><subject>${parts}</subject></controlaccess>`));
  expect(of('subject').map((subject) => subject['terms'])).toMatchObject([terms]);
});
