// Whole finding aids, and the records and the report that come of them, compared with what is kept (contract behaviour-imports, section 3).
import { test } from 'vitest';
import { readEad } from '#domain/formats/ead/reading/read.ts';
import { bytesOf, testOptions } from '#test/support/ead-document.ts';
import { expectRead, fixtureText } from '#test/support/kept-documents.ts';

const options = { ...testOptions, standIns: true };

test.each([
  ['a header and a description with every element', 'description.2002'],
  ['notes, lists and headings', 'notes.2002'],
  ['containers and digital objects', 'instances.2002'],
  ['what a record lacks', 'lacking.2002'],
  ['control, dates and extents of EAD3', 'description.ead3'],
])('reads %s', async (_says, file) => {
  await expectRead(readEad(bytesOf(fixtureText(`ead/read/${file}.xml`)), options), `ead/read/${file}.json`);
});

test.each([
  'board-everything.2002',
  'notes-everything.2002',
  'markup.2002',
  'board-everything.ead3',
  'notes-everything.ead3',
  'markup.ead3',
])('reads what is written as %s', async (file) => {
  const written = fixtureText(`ead/written/${file}.xml`);
  await expectRead(
    readEad(bytesOf(written), { ...options, agentsPublished: 'unless-internal', splitHeadings: true }),
    `ead/read/${file}.json`,
  );
});
