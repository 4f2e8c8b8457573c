// What is said of documents that cannot be read, by the format they are sent as: message, place, and whatever else the one who sent them is told.
import { describe, it } from 'vitest';
import { Failure } from '#domain/errors.ts';
import { importFormats } from '#domain/formats/import-types.ts';
import { readFormat } from '#test/support/import-reading.ts';
import { expectKept, keptText } from '#test/support/kept.ts';

const utf16 = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, 'utf16le');
const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');

// Whatever it is sent as.
const anyXml: { readonly [name: string]: string | Uint8Array } = {
  nothing: '',
  blanks: ' \n ',
  'no markup': 'Letters of the harbour board',
  'a web page': '<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head/></html>',
  'a root without a namespace': '<letters>\n  <letter/>\n</letters>',
  'a root of a namespace': '\n<l:letters xmlns:l="urn:letters" a="1"/>',
  'an end that is missing': '<a>\n<b>text</b>\n',
  'an end of another': '<a>\n<b>text</c>\n</a>',
  'two roots': '<a/>\n<b/>',
  'text behind the root': '<a/>\ntext',
  'an attribute that is there twice': '<a>\n <b c="1" c="2"/></a>',
  'an entity that nobody declared': '<a>\n<b>Bell &co; Howell</b></a>',
  'an ampersand': '<a>\n<b>Bell & Howell</b></a>',
  'a prefix that nobody declared': '<x:a/>',
  'a character that XML does not have': '<a>\n<b>\u0001</b></a>',
  'elements too deep': '<a>'.repeat(300),
  'too many attributes': `<a ${Array.from({ length: 1001 }, (_, at) => `a${at}="1"`).join(' ')}/>`,
  'an encoding that nobody knows': '<?xml version="1.0" encoding="klingon"?><a/>',
  'bytes that are no UTF-8': latin1('<?xml version="1.0" encoding="UTF-8"?>\n<a>\nBücher</a>'),
  'a sheet': 'title,date\nLetters,1868\n',
};

const anySheet: { readonly [name: string]: string | Uint8Array } = {
  nothing: '',
  'a heading alone': 'accession_title\n',
  'a workbook': Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x14, 0x00]),
  'an old workbook': Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]),
  'UTF-16': utf16('accession_title\nLetters\n'),
  'bytes that are no UTF-8': latin1('accession_title\nLetters\nBücher\n'),
  'a last letter that is cut off': Buffer.from('accession_title\nLetters\nBü').subarray(0, -1),
  semicolons: 'accession_title;accession_number_1\nLetters;1\n',
  tabs: 'basic\ttitle\nLetters\t1\n',
  'a heading that is there twice': 'accession_title,accession_title,identifier,identifier\na,b,c,d\n',
  'headings for people': 'Title,Number\nLetters,1\n',
  'a quote that is never closed': 'accession_title,accession_number_1\nLetters,1\n"Books,2\n',
  'a character that nothing stores': 'accession_title,accession_number_1\nLet\0ters,1\n',
  'a cell without a heading': 'accession_title,accession_number_1\nLetters,1,of the harbour\n',
  markup: '<ead/>',
};

const ead = (archdesc: string): string => `<ead><eadheader><eadid>x</eadid></eadheader>\n${archdesc}\n</ead>`;
const described = (more: string, did = ''): string =>
  ead(
    `<archdesc level="collection">\n<did><unittitle>Papers</unittitle><unitid>P1</unitid>${did === '' ? '<unitdate normal="1868/1899">1868</unitdate><physdesc><extent>2 boxes</extent></physdesc>' : did}</did>${more}</archdesc>`,
  );
const marc = (fields: string): string =>
  `<collection xmlns="http://www.loc.gov/MARC21/slim">\n<record><leader>00000npcaa 00000 a 4500</leader>${fields}</record></collection>`;
const field = (tag: string, ...subfields: readonly (readonly [code: string, text: string])[]): string =>
  `<datafield tag="${tag}" ind1="1" ind2=" ">${subfields.map(([code, text]) => `<subfield code="${code}">${text}</subfield>`).join('')}</datafield>`;
const eac = (identity: string): string =>
  `<eac-cpf xmlns="urn:isbn:1-931666-33-4"><control/><cpfDescription>\n<identity>${identity}</identity></cpfDescription></eac-cpf>`;

// What one format alone refuses.
const own: { readonly [type: string]: { readonly [name: string]: string } } = {
  ead_xml: {
    'no description': ead(''),
    'two descriptions': ead('<archdesc/>\n<archdesc/>'),
    'a description of nothing': ead('<archdesc level="collection">\n<did/></archdesc>'),
    'a description without dates and extents': described('', '<note><p>x</p></note>'),
    'a component of nothing': described('<dsc>\n<c level="file" id="c1"><did><unitid>C1</unitid></did></c></dsc>'),
    'a date of no type': described(
      '<dsc>\n<c><did><unittitle>x</unittitle><unitdate type="about">1868</unitdate></did></c></dsc>',
    ),
  },
  eac_xml: {
    'neither version': '<eac>\n<control/></eac>',
    'version 2 without a description': '<eac xmlns="https://archivists.org/ns/eac/v2"><control/></eac>',
    'an identity of no type': eac('<nameEntry><part>Brant</part></nameEntry>'),
    'an identity without a name': eac('<entityType>person</entityType>'),
  },
  marcxml: {
    'a record without fields': marc(''),
    'a record without a title': marc(field('520', ['a', 'Of the harbour.'])),
  },
  marcxml_accession: { 'a record without a title': marc(field('520', ['a', 'Of the harbour.'])) },
  marcxml_subjects_and_agents: { 'a record of neither': marc(field('245', ['a', 'Papers'])) },
  marcxml_auth_agent: {
    'a record without a heading': marc(field('400', ['a', 'Brant'])),
    'a heading without a name': marc(field('100', ['d', '1868-'])),
  },
  assessment_csv: {
    'another section first': 'rating,basic\nx,y\n',
    'columns that nobody knows, and twice':
      'basic,,rating\nrecord,record,no such rating\n/repositories/2/accessions/1,x,9\n',
  },
  accession_csv: {
    'cells that cannot be read':
      'accession_title,accession_accession_date,accession_publish,date_1_begin,extent_number\nLetters,soon,perhaps,1868-99,many\n,,,,\nBooks,2021-01-01,1,1900,\n',
  },
  digital_object_csv: {
    'a component without an object': 'digital_object_component_title,digital_object_component_label\nPage,1\n',
  },
  atom_description_csv: {
    'a parent that is not there': 'legacyId,parentId,identifier,title,levelOfDescription\n2,1,A/1,Letters,File\n',
  },
};

describe.each([...importFormats.keys()])('%s', (type) => {
  it('says why a document is refused', async () => {
    const documents = { ...(type.endsWith('_csv') ? anySheet : anyXml), ...own[type] };
    const outcomes: { [name: string]: unknown } = {};
    for (const [name, document] of Object.entries(documents)) {
      outcomes[name] = await readFormat(type, document).then(
        ({ records, report }) => ({ records: records.map(({ jsonmodel_type }) => jsonmodel_type), report }),
        (error: unknown) => {
          if (!(error instanceof Failure)) throw error;
          return { refused: error.code, ...(error.error as object), ...error.extra };
        },
      );
    }
    await expectKept(keptText(outcomes, 3), `refused/documents/${type}.json`);
  });
});
