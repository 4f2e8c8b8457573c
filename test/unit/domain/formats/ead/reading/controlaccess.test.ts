// controlaccess → subjects and agent links.
import { describe, expect, test } from 'vitest';
import { readDocument } from '#test/support/ead-document.ts';

describe('readControlAccess', () => {
  test('makes one term of each heading, with the type of its element', async () => {
    const names = {
      function: 'function',
      genreform: 'genre_form',
      geogname: 'geographic',
      occupation: 'occupation',
      subject: 'topical',
      title: 'uniform_title',
    };
    const { of, resource } = await readDocument({
      notes: `<controlaccess>${Object.keys(names)
        .map((name) => `<${name}>A -- B</${name}>`)
        .join('')}</controlaccess>`,
    });
    expect(of('subject')).toMatchObject(
      Object.values(names).map((type) => ({
        source: 'ingest',
        vocabulary: '/vocabularies/1',
        terms: [{ jsonmodel_type: 'term', term: 'A -- B', term_type: type, vocabulary: '/vocabularies/1' }],
      })),
    );
    expect(resource['subjects']).toEqual(of('subject').map((subject) => ({ ref: subject.uri })));
  });

  test('reads nested groups and lists, shares equal subjects, and reports heads and prose', async () => {
    const { of, resource, components, report } = await readDocument({
      notes: `<controlaccess><head>Terms</head><p>See these.</p><controlaccess><head>Topics</head><subject source="lcsh">X</subject></controlaccess>
        <list><item><subject source="lcsh">Y</subject></item></list></controlaccess>`,
      dsc: '<c level="file"><did><unittitle>T</unittitle></did><controlaccess><subject source="LCSH" authfilenumber="sh1">X</subject></controlaccess></c>',
    });
    expect(of('subject')).toHaveLength(2);
    expect(of('subject')[0]?.['authority_id']).toBeUndefined();
    expect(resource['subjects']).toHaveLength(2);
    expect(components[0]?.['subjects']).toEqual([{ ref: of('subject')[0]?.uri }]);
    expect(report.dropped.map((part) => part.text)).toEqual(['Terms', 'See these.', 'Topics', 'sh1']);
  });

  test('keeps the number of a heading in its authority file where no other subject has it', async () => {
    const { of, report } = await readDocument(
      {
        notes: `<controlaccess><subject source="lcsh" authfilenumber="sh1">Ships</subject><subject source="lcsh" authfilenumber="sh1">Ships -- Design</subject>
          <subject source="lcsh" authfilenumber="sh1">Ships</subject><subject source="aat" authfilenumber="sh1">Ships</subject>
          <subject source="lcsh" authfilenumber="sh9">Masts</subject></controlaccess>`,
      },
      { isAuthorityIdTaken: (subject) => subject['authority_id'] === 'sh9' },
    );
    expect(of('subject').map((subject) => [subject['source'], subject['authority_id']])).toEqual([
      ['lcsh', 'sh1'],
      ['lcsh', undefined],
      ['aat', 'sh1'],
      ['lcsh', undefined],
    ]);
    expect(report.dropped).toMatchObject([
      { element: 'subject', text: 'sh1', reason: 'authfilenumber of another subject' },
      { element: 'subject', text: 'sh9', reason: 'authfilenumber of another subject' },
    ]);
  });

  test('splits headings on request', async () => {
    const { of } = await readDocument(
      { notes: '<controlaccess><geogname authfilenumber="g1">Ulm (Germany)--History</geogname></controlaccess>' },
      { splitHeadings: true },
    );
    expect(of('subject')).toMatchObject([
      {
        authority_id: 'g1',
        terms: [
          { term: 'Ulm (Germany)', term_type: 'geographic' },
          { term: 'History', term_type: 'topical' },
        ],
      },
    ]);
  });
});
