// Whole records in MARCXML, and the records and the report that come of them, compared with what is kept (contract behaviour-imports).
import { test } from 'vitest';
import { readMarc } from '#domain/formats/marc/reading/read.ts';
import { bytesOf } from '#test/support/ead-document.ts';
import { testAbout } from '#test/support/import-reading.ts';
import { expectRead, fixtureText } from '#test/support/kept-documents.ts';

test.each([
  ['a resource', 'marc/written/board-everything.xml', 'resource', 'board.resource'],
  ['an accession', 'marc/written/board-everything.xml', 'accession', 'board.accession'],
  ['headings', 'marc/written/board-everything.xml', 'headings', 'board.headings'],
  ['notes of every type', 'marc/written/notes-everything.xml', 'resource', 'notes.resource'],
  ['a person', 'marc-authority/written/person-everything.xml', 'agent', 'person'],
  ['a corporate entity', 'marc-authority/written/corporate.xml', 'agent', 'corporate'],
  ['headings of an authority record', 'marc-authority/written/person-everything.xml', 'headings', 'person.headings'],
] as const)('reads %s', async (_says, source, as, file) => {
  await expectRead(readMarc(bytesOf(fixtureText(source)), testAbout, as), `marc/read/${file}.json`);
});
