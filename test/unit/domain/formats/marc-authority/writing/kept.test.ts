// Whole authority records in MARCXML, compared with what is kept of them (contract behaviour-exports, section 5).
import { expect, test } from 'vitest';
import { agentMarc } from '#domain/formats/marc-authority/writing/agent.ts';
import { exportFaults } from '#test/support/export-faults.ts';
import { expectKept } from '#test/support/kept.ts';
import { inLines, keptRecords, resolvedRecord } from '#test/support/kept-documents.ts';
import { makeExportContext } from '#test/support/make/export-context.ts';

test.each([
  ['a person, what is published', 'person-published', '/agents/people/10', false],
  ['a person, all of it', 'person-everything', '/agents/people/10', true],
  ['a family', 'family', '/agents/families/10', false],
  ['a corporate entity', 'corporate', '/agents/corporate_entities/10', false],
  ['an agent of which nothing but a name is known', 'bare', '/agents/people/11', false],
] as const)('an authority record has %s', async (_says, file, uri, includesUnpublished) => {
  const records = keptRecords('agents', 'pilots');
  const xml = agentMarc(resolvedRecord(records, uri), makeExportContext({ includesUnpublished }));
  expect(exportFaults('MARCXML', xml)).toEqual([]);
  await expectKept(inLines(xml), `formats/marc-authority/written/${file}.xml`);
});
