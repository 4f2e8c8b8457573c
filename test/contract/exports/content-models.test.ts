// The content models that the project declares itself notice what is wrong with a document: faults are planted in documents of every format,
// and each is found without any published schema. Real documents of EAC-CPF 2.0, which others
// wrote, are allowed.
import { describe, expect, test } from 'vitest';
import { agentEac } from '#domain/formats/eac/writing/agent.ts';
import { agentEac2 } from '#domain/formats/eac/writing/v2/agent.ts';
import { digitalObjectDc } from '#domain/formats/dc/digital-object.ts';
import { writeEad2002 } from '#domain/formats/ead/writing/write-2002.ts';
import { writeEad3 } from '#domain/formats/ead/writing/write-3.ts';
import { resourceMarc } from '#domain/formats/marc/writing/described.ts';
import { digitalObjectMets } from '#domain/formats/mets/digital-object.ts';
import { digitalObjectMods } from '#domain/formats/mods/digital-object.ts';
import type { ExportFormat } from '../../support/export-faults.ts';
import { modelFaults } from '../../support/export-faults.ts';
import { makeExportContext, personLink, subjectRef } from '../../support/make/export-context.ts';
import { readArchive, realDataFolder } from '../../support/real-data.ts';

const context = makeExportContext({ includesUnpublished: true });
const note = (type: string) => ({
  jsonmodel_type: 'note_multipart',
  type,
  publish: true,
  subnotes: [{ jsonmodel_type: 'note_text', content: 'Text', publish: true }],
});
const described = {
  title: 'Papers',
  publish: true,
  level: 'file',
  dates: [{ label: 'creation', date_type: 'inclusive', begin: '1900', end: '1910' }],
  extents: [{ number: '3', extent_type: 'boxes', portion: 'whole' }],
  lang_materials: [{ language_and_script: { language: 'eng', script: 'Latn' } }],
  subjects: [subjectRef({ title: 'Tides', source: 'local', terms: [{ term: 'Tides', term_type: 'topical' }] })],
  linked_agents: [personLink(), personLink({}, { role: 'subject' })],
  notes: [note('scopecontent'), note('accessrestrict')],
};
const object = {
  ...described,
  uri: '/repositories/2/digital_objects/1',
  digital_object_id: 'D1',
  file_versions: [{ file_uri: 'http://example.org/1', publish: true }],
};
const agent = {
  jsonmodel_type: 'agent_person',
  uri: '/agents/people/1',
  publish: true,
  create_time: '2026-01-01T00:00:00Z',
  names: [{ primary_name: 'Muster', rest_of_name: 'Anna', is_display_name: true }],
  dates_of_existence: [{ date_type_structured: 'single', structured_date_single: { date_expression: '1900' } }],
};
const setting = {
  flags: { includeUnpublished: true, includeDaos: true, includeUris: false, numberedComponents: false },
  label: context.label,
  product: 'Muniment',
  createdAt: '2026-01-01 00:00:00 UTC',
  includeArks: false,
  deepest: 1,
};
const component = async function* () {
  yield [{ depth: 1, record: { ...described, ref_id: 'r1' } }];
};
const text = async (pieces: AsyncIterable<string>): Promise<string> => (await Array.fromAsync(pieces)).join('');
const resource = { ...described, level: 'collection', id_0: 'A' };

type Fault = readonly [what: string, part: string | RegExp, becomes: string];

/** A document of each format, and what is planted in it. */
const documents: readonly (readonly [ExportFormat, () => Promise<string> | string, readonly Fault[]])[] = [
  [
    'EAD 2002',
    () => text(writeEad2002(resource, component(), setting)),
    [
      ['no headings', /<controlaccess>.*?<\/controlaccess>/, '<controlaccess/>'],
      ['a note without a block', /(<scopecontent[^>]*><head>[^<]*<\/head>)<p>.*?<\/p>/, '$1'],
      ['no title statement', /<titlestmt>.*?<\/titlestmt>/, ''],
      ['another order', /(<titlestmt>.*?<\/titlestmt>)(<publicationstmt>.*?<\/publicationstmt>)/, '$2$1'],
      ['a did behind notes', /(<c [^>]*>)(<did>.*?<\/did>)(<scopecontent.*?<\/scopecontent>)/, '$1$3$2'],
      ['an element of EAD3', '<unitid>', '<recordid/><unitid>'],
      ['an element out of place', '<dsc>', '<dsc><unittitle>x</unittitle>'],
      ['no level', / level="collection"/, ''],
      ['an unknown level', 'level="collection"', 'level="heap"'],
      ['an unknown attribute', '<did>', '<did odd="1">'],
      ['words in a date', /normal="[^"]*"/, 'normal="about 1900"'],
      ['loose text', '<did>', '<did>loose'],
      ['an id twice', '<did>', '<did id="aspace_r1">'],
      ['another namespace', 'urn:isbn:1-931666-22-9"', 'urn:other"'],
      ['no end', '</ead>', ''],
    ],
  ],
  [
    'EAD3',
    () => text(writeEad3(resource, component(), setting)),
    [
      ['no headings', /<controlaccess>.*?<\/controlaccess>/, '<controlaccess/>'],
      ['a name without a part', /(<persname[^>]*>)<part>.*?<\/part>/, '$1'],
      ['a name as bare text', /<part>(.*?)<\/part>/, '$1'],
      ['no status', /<maintenancestatus[^>]*>/, ''],
      ['an unknown status', 'maintenancestatus value="derived"', 'maintenancestatus value="odd"'],
      ['no history', /<maintenancehistory>.*?<\/maintenancehistory>/, ''],
      ['another order', /(<quantity>.*?<\/quantity>)(<unittype>.*?<\/unittype>)/, '$2$1'],
      ['no coverage', / coverage="[^"]*"/, ''],
      ['an element of EAD 2002', '<control ', '<eadheader/><control '],
    ],
  ],
  [
    'EAC-CPF 2010',
    () => agentEac(agent, [], context),
    [
      ['no entity type', /<entityType>.*?<\/entityType>/, ''],
      ['an unknown entity type', /<entityType>.*?<\/entityType>/, '<entityType>ship</entityType>'],
      ['no part of a name', /<part .*<\/part>/, ''],
      ['no event', /<maintenanceEvent>.*<\/maintenanceEvent>/, ''],
      [
        'another order',
        /(<maintenanceStatus>.*?<\/maintenanceStatus>)(<maintenanceAgency>.*?<\/maintenanceAgency>)/,
        '$2$1',
      ],
      ['an element of 2.0', '<identity>', '<identity><otherEntityTypes/>'],
    ],
  ],
  [
    'EAC-CPF 2.0',
    () => agentEac2(agent, [], context),
    [
      ['no event', /<maintenanceEvent .*<\/maintenanceEvent>/, ''],
      ['an unknown event', /maintenanceEventType="\w+"/, 'maintenanceEventType="born"'],
      ['no type of agent', / agentType="\w+"/, ''],
      [
        'another order',
        /(<agent [^>]*>[^<]*<\/agent>|<agent [^>]*\/>)(<eventDateTime.*?(?:\/>|<\/eventDateTime>))/,
        '$2$1',
      ],
      ['an unknown element', '</maintenanceHistory>', '<note/></maintenanceHistory>'],
      ['an unknown attribute', '<agent ', '<agent odd="1" '],
      ['loose text', '</maintenanceHistory>', 'loose</maintenanceHistory>'],
    ],
  ],
  [
    'MARCXML',
    () => resourceMarc(resource, context),
    [
      ['a field without subfields', /<subfield .*?<\/datafield>/, '</datafield>'],
      ['no code', / code="a"/, ''],
      ['no indicator', / ind1="."/, ''],
      ['a tag of four digits', 'tag="245"', 'tag="2450"'],
      ['a short leader', /<leader>./, '<leader>'],
      ['a controlfield behind the fields', /(<controlfield.*<\/controlfield>)(<datafield.*?<\/datafield>)/, '$2$1'],
    ],
  ],
  [
    'MODS',
    () => digitalObjectMods({ object, components: [] }, context),
    [
      ['no title in a title', /<title>.*?<\/title>/, ''],
      ['an empty subject', /<topic>.*?<\/topic>/, ''],
      ['an empty role', /<role>.*?<\/role>/, '<role/>'],
      ['an unknown type', 'type="personal"', 'type="ship"'],
      ['a spelling of the reference', /titleInfo>/g, 'titleinfo>'],
      ['a date outside', /<originInfo>(.*?)<\/originInfo>/, '$1'],
    ],
  ],
  [
    'METS',
    () => digitalObjectMets({ object, components: [] }, 'mods', context),
    [
      ['no id', /<dmdSec ID="[^"]*"/, '<dmdSec'],
      ['no type of metadata', / MDTYPE="\w+"/, ''],
      ['no structure', /<structMap.*<\/structMap>/, ''],
      ['a file that is not there', /FILEID="[^"]*"/, 'FILEID="nothing"'],
      ['files before the metadata', /(<dmdSec.*<\/dmdSec>)(.*)(<fileSec>.*<\/fileSec>)/, '$3$1$2'],
      ['a fault in what it holds', /<title>.*?<\/title>/, ''],
    ],
  ],
  [
    'Dublin Core',
    () => digitalObjectDc(object, context),
    [
      ['an unknown element', /<title>(.*?)<\/title>/, '<heading>$1</heading>'],
      ['an element in another', /<title>/, '<title><date/>'],
    ],
  ],
];

describe.each(documents)('the content model of %s', (format, write, faults) => {
  test('allows the document', async () => expect(modelFaults(format, await write())).toEqual([]));

  test.each(faults)('finds %s', async (_what, part, becomes) => {
    const document = await write();
    const planted = document.replace(part, becomes);
    expect(planted).not.toBe(document);
    expect(modelFaults(format, planted)).not.toEqual([]);
  });
});

const data = realDataFolder();
describe.skipIf(data === undefined)('real EAC-CPF documents of version 2.0', () => {
  const files =
    data === undefined
      ? []
      : readArchive(data, 'eac.tar.gz')
          .map((file) => [file.name, new TextDecoder().decode(file.bytes)] as const)
          .filter(([, xml]) => xml.includes('archivists.org/ns/eac/v2'));

  // The example of the standard has words in place of addresses.
  test.each(files)('%s is allowed', (_name, xml) =>
    expect(modelFaults('EAC-CPF 2.0', xml).filter((fault) => !fault.includes('link to '))).toEqual([]),
  );
});
