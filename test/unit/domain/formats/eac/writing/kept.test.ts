// Whole agents in both versions of EAC-CPF, compared with what is kept of them (contract behaviour-exports, section 6).
import { expect, test } from 'vitest';
import { agentEac } from '#domain/formats/eac/writing/agent.ts';
import { agentEac2 } from '#domain/formats/eac/writing/v2/agent.ts';
import { exportFaults } from '#test/support/export-faults.ts';
import { expectKept } from '#test/support/kept.ts';
import { inLines, keptRecords, resolvedRecord } from '#test/support/kept-documents.ts';
import { makeExportContext } from '#test/support/make/export-context.ts';

const versions = [
  ['EAC-CPF 2010', '2010', agentEac],
  ['EAC-CPF 2.0', '2', agentEac2],
] as const;
const linked = [
  { uri: '/repositories/2/resources/1', title: 'Records of the <emph>Board</emph>', role: 'creator' },
  { uri: '/repositories/2/resources/2', title: 'Notes', role: 'subject' },
  { uri: '/repositories/2/resources/3', title: '', role: 'source' },
];

for (const [format, version, write] of versions)
  test.each([
    ['a person, what is published', 'person-published', '/agents/people/10', linked, false],
    ['a person, all of it', 'person-everything', '/agents/people/10', linked, true],
    ['a family', 'family', '/agents/families/10', [], false],
    ['a corporate entity', 'corporate', '/agents/corporate_entities/10', [], false],
    ['an agent of which nothing but a name is known', 'bare', '/agents/people/11', [], false],
  ] as const)(`${format} has %s`, async (_says, file, uri, links, includesUnpublished) => {
    const records = keptRecords('agents', 'pilots');
    const context = makeExportContext({ includesUnpublished, repository: resolvedRecord(records, '/repositories/2') });
    const xml = write(resolvedRecord(records, uri), links, context);
    expect(exportFaults(format, xml)).toEqual([]);
    await expectKept(inLines(xml), `formats/eac/written/${file}.${version}.xml`);
  });
