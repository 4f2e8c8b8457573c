// Whole agents in both versions of EAC-CPF, and the records and the report that come of them, compared with what is kept (contract behaviour-imports).
import { test } from 'vitest';
import { readEac } from '#domain/formats/eac/reading/read.ts';
import { bytesOf } from '#test/support/ead-document.ts';
import { testAbout } from '#test/support/import-reading.ts';
import { expectRead, fixtureText } from '#test/support/kept-documents.ts';

test.each(['person-everything.2010', 'person-everything.2', 'family.2010', 'corporate.2'])(
  'reads what is written as %s',
  async (file) => {
    await expectRead(readEac(bytesOf(fixtureText(`eac/written/${file}.xml`)), testAbout), `eac/read/${file}.json`);
  },
);
