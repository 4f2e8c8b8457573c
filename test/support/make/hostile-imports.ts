// Files made to do harm, for every format that is imported: each with what the log of the job must say of it.
import type { HostilePart } from './hostile-zip.ts';
import { hostileZip, workbookParts } from './hostile-zip.ts';

/** A file, what is wrong with it, and what the job must say. */
export type HostileFile = { readonly what: string; readonly bytes: string | Uint8Array; readonly says: RegExp };

/** A sort of XML document: `wrap` puts a text where text belongs. `expands`: plain entities of the document's own are. */
export type XmlForm = {
  readonly form: string;
  readonly importType: string;
  readonly root: string;
  readonly expands?: true;
  wrap(text: string): string;
};

const ead = (inner: string, more = ''): string => `<ead${more}>${inner}</ead>`;
const description = (text: string): string =>
  `<archdesc level="fonds"><did><unitid>H1</unitid><unittitle>Papers</unittitle><unitdate>1900</unitdate></did><scopecontent><p>${text}</p></scopecontent></archdesc>`;
const marc = (leader: string, fields: string): string =>
  `<collection xmlns="http://www.loc.gov/MARC21/slim"><record><leader>${leader}</leader><controlfield tag="001">h1</controlfield>${fields}</record></collection>`;
const field = (tag: string, text: string): string =>
  `<datafield tag="${tag}" ind1="1" ind2="0"><subfield code="a">${text}</subfield></datafield>`;
const bibliographic = (text: string): string =>
  marc(
    '00000npca 22000001a 4500',
    `${field('100', 'Roe, Ann')}${field('245', 'Papers')}${field('520', text)}${field('650', 'Maps')}`,
  );

/** Every sort. */
export const xmlForms: readonly XmlForm[] = [
  {
    form: 'EAD 2002',
    importType: 'ead_xml',
    root: 'ead',
    expands: true,
    wrap: (text) => ead(`<eadheader><eadid>H1</eadid></eadheader>${description(text)}`),
  },
  {
    form: 'EAD3',
    importType: 'ead_xml',
    root: 'ead',
    expands: true,
    wrap: (text) =>
      ead(
        `<control><recordid>H1</recordid></control>${description(text)}`,
        ' xmlns="http://ead3.archivists.org/schema/"',
      ),
  },
  {
    form: 'EAC-CPF 2010',
    importType: 'eac_xml',
    root: 'eac-cpf',
    wrap: (text) =>
      `<eac-cpf xmlns="urn:isbn:1-931666-33-4"><control><recordId>h1</recordId></control><cpfDescription><identity><entityType>person</entityType><nameEntry><part>Doe</part></nameEntry></identity><description><biogHist><p>${text}</p></biogHist></description></cpfDescription></eac-cpf>`,
  },
  {
    form: 'EAC-CPF 2.0',
    importType: 'eac_xml',
    root: 'eac',
    wrap: (text) =>
      `<eac xmlns="https://archivists.org/ns/eac/v2"><control><recordId>h1</recordId></control><cpfDescription><identity><entityType value="person"/><nameEntry><part>Doe</part></nameEntry></identity><description><biogHist><p>${text}</p></biogHist></description></cpfDescription></eac>`,
  },
  ...['marcxml', 'marcxml_accession', 'marcxml_subjects_and_agents'].map((importType): XmlForm => ({
    form: importType,
    importType,
    root: 'collection',
    wrap: bibliographic,
  })),
  {
    form: 'marcxml_auth_agent',
    importType: 'marcxml_auth_agent',
    root: 'collection',
    wrap: (text) => marc('00000nz  a2200000n  4500', `${field('100', 'Roe, Ann')}${field('678', text)}`),
  },
];

/** Documents of one sort. `address` is one that must never be asked for anything. */
export function hostileXml({ wrap, root, expands }: XmlForm, address: string): readonly HostileFile[] {
  const declared = (entities: string, text: string): string => `<!DOCTYPE ${root} [${entities}]>${wrap(text)}`;
  const laughs = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('');
  const at = /\tline : \d+/.source;
  const malformed = (message: string): RegExp => new RegExp(`${message}[^]*${at}`);
  return [
    {
      what: 'an entity of a file',
      bytes: declared('<!ENTITY x SYSTEM "file:///etc/passwd">', '&x;'),
      says: malformed('undefined entity \\(&x;'),
    },
    {
      what: 'an entity of an address',
      bytes: declared(`<!ENTITY x SYSTEM "${address}/x">`, '&x;'),
      says: malformed('undefined entity \\(&x;'),
    },
    {
      what: 'a public entity',
      bytes: declared(`<!ENTITY x PUBLIC "-//X//X" "${address}/x">`, '&x;'),
      says: malformed('undefined entity \\(&x;'),
    },
    {
      what: 'a parameter entity that would declare another',
      bytes: declared(`<!ENTITY % p SYSTEM "${address}/p"> %p;`, '&x;'),
      says: malformed('undefined entity \\(&x;'),
    },
    {
      what: 'a DTD elsewhere that would declare an entity',
      bytes: `<!DOCTYPE ${root} SYSTEM "${address}/dtd">${wrap('&x;')}`,
      says: malformed('undefined entity \\(&x;'),
    },
    {
      what: 'entities in entities',
      bytes: declared(`<!ENTITY l0 "lol">${laughs}`, '&l9;'),
      says: malformed('undefined entity \\(&l9;'),
    },
    {
      what: 'a long entity again and again',
      bytes: declared(`<!ENTITY x "${'x'.repeat(900)}">`, '&x;'.repeat(2000)),
      says: malformed(expands === true ? 'entities of the document expand to more than' : 'undefined entity \\(&x;'),
    },
    {
      what: 'comments in an entity that never end',
      bytes: declared(`<!ENTITY x "${'<!--'.repeat(200_000)}">`, '&x;'),
      says: malformed('undefined entity \\(&x;'),
    },
    {
      what: 'a hundred thousand elements in each other',
      bytes: wrap('<p>'.repeat(100_000)),
      says: malformed('nested more than 256 deep'),
    },
    {
      what: 'two thousand attributes',
      bytes: wrap(`<p ${Array.from({ length: 2000 }, (_, n) => `a${n}=""`).join(' ')}/>`),
      says: malformed('has more than 1000 attributes'),
    },
    { what: 'U+0000', bytes: wrap('a\0b'), says: malformed('not well-formed') },
    {
      what: 'bytes that are no UTF-8',
      bytes: Buffer.from(wrap('caf\xe9'), 'latin1'),
      says: malformed('not valid utf-8'),
    },
    {
      what: 'an encoding nobody knows',
      bytes: `<?xml version="1.0" encoding="klingon"?>${wrap('x')}`,
      says: malformed('encoding "klingon"'),
    },
    {
      what: 'UTF-7',
      bytes: `<?xml version="1.0" encoding="UTF-7"?>+ADw-${wrap('x')}`,
      says: malformed('encoding "utf-7"'),
    },
    {
      what: 'UTF-32',
      bytes: Buffer.concat([
        Buffer.from([0xff, 0xfe, 0, 0]),
        Buffer.from([...wrap('x')].flatMap((letter) => [letter.charCodeAt(0), 0, 0, 0])),
      ]),
      says: malformed('not well-formed|no element'),
    },
    {
      what: 'UTF-16 that ends in half a character',
      bytes: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(wrap('x'), 'utf16le'), Buffer.from([0xd8])]),
      says: malformed('not valid utf-16le'),
    },
    { what: 'the end before its end', bytes: wrap('x').slice(0, -20), says: malformed('not well-formed|unclosed') },
  ];
}

/** The first `count` of documents of which the reader that all formats share, or the record they make, becomes too large: a second each, so for one sort alone. */
export function largeXml({ wrap }: XmlForm, count: number): readonly HostileFile[] {
  const says = /More than 16000000 characters without a tag[^]*\tline : \d+/;
  const files: readonly (() => HostileFile)[] = [
    () => ({ what: 'a text without end', bytes: wrap('x'.repeat(16_100_000)), says }),
    () => ({ what: 'an attribute without end', bytes: wrap(`<p id="${'x'.repeat(16_100_000)}"/>`), says }),
    () => ({
      what: 'six hundred thousand empty elements in one',
      bytes: wrap('<p/>'.repeat(600_000)),
      says: /One element holds more than 32000000 characters[^]*\tline : \d+/,
    }),
    () => ({
      what: 'a record of notes without end',
      bytes: wrap('x').replace('</archdesc>', `${`<odd>${'<p/>'.repeat(100_000)}</odd>`.repeat(11)}</archdesc>`),
      says: /One resource holds more than 64000000 characters[^]*\tline : \d+/,
    }),
  ];
  return files.slice(0, count).map((make) => make());
}

/** Sheets in CSV. `head` is the line before the rows, `row` a good one; rows are told by line. What is `tooLong` costs a second, so it passes the limit by little. */
export function hostileCsv(head: string, row: string): readonly HostileFile[] {
  // Where the row begins, which is after the good one, or after the headings.
  const place = (row: number): string => `[^]*(?:\\tline : ${row}\\b|"row":${row}\\b)`;
  const [lines, tooLong] = [head.split('\n').length, 4_100_000];
  return [
    {
      what: 'a line of more than may be',
      bytes: `${head}\n${'x'.repeat(tooLong)}\n`,
      says: new RegExp(`Max Record Size${place(lines + 1)}`),
    },
    {
      what: 'a quote that is never closed',
      bytes: `${head}\n"${row}\n${`${row}\n`.repeat(tooLong / (row.length + 1) + 1)}`,
      says: new RegExp(`Max Record Size${place(lines + 1)}`),
    },
    {
      what: 'a quote that the end closes',
      bytes: `${head}\n${row}\n"x`,
      says: new RegExp(`Quote Not Closed${place(lines + 2)}`),
    },
    {
      what: 'U+0000',
      bytes: `${head}\n${row}\nx\0y\n`,
      says: new RegExp(`U\\+0000[^]*(?:\\tline : ${lines + 2}\\b|"line":${lines + 2}\\b)`),
    },
    {
      what: 'bytes that are no UTF-8',
      bytes: Buffer.from(`${head}\n${row}\ncaf\xe9\n`, 'latin1'),
      says: new RegExp(`not valid UTF-8, in line ${lines + 2}`),
    },
    {
      what: 'UTF-16',
      bytes: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`${head}\n${row}\n`, 'utf16le')]),
      says: /not valid UTF-8, in line 1/,
    },
  ];
}

const row = (cells: string, number = ''): string => `<row${number === '' ? '' : ` r="${number}"`}>${cells}</row>`;
const cell = (text: string, address = ''): string =>
  `<c${address === '' ? '' : ` r="${address}"`} t="inlineStr"><is><t>${text}</t></is></c>`;
const sheetOf = (rows: string, more = ''): string => `<worksheet><sheetData>${rows}</sheetData>${more}</worksheet>`;

/** Workbooks whose sheet is called `name`. */
export function hostileWorkbooks(name: string, address: string): readonly HostileFile[] {
  const good = sheetOf(row(cell('x')));
  const book = (sheet: string | Uint8Array, strings: string | Uint8Array = ''): Buffer =>
    hostileZip(workbookParts(sheet, { name, strings }));
  const withPart = (part: HostilePart): Buffer => hostileZip([...workbookParts(good, { name }), part]);
  const changing = (end: string, change: Partial<HostilePart>, sheet: string | Uint8Array = good): Buffer =>
    hostileZip(workbookParts(sheet, { name }).map((part) => (part.name.endsWith(end) ? { ...part, ...change } : part)));
  const withSheet = (change: Partial<HostilePart>, sheet?: string | Uint8Array): Buffer =>
    changing('sheet1.xml', change, sheet);
  const xml = (text: string, subset: string): string => `<!DOCTYPE worksheet [${subset}]>${sheetOf(row(cell(text)))}`;
  return [
    ...(
      [
        ['entities', '<!DOCTYPE x [<!ENTITY a "1">]><workbook>&a;</workbook>', /has a DOCTYPE.*xl\/workbook.xml/],
        [
          'a thousand elements deep',
          '<a>'.repeat(1000) + '</a>'.repeat(1000),
          /nested more than 64 deep.*xl\/workbook.xml/,
        ],
        [
          'a million elements',
          `<workbook>${'<a/>'.repeat(1e6)}</workbook>`,
          /more than 2000000 characters.*xl\/workbook.xml/,
        ],
        ['no end', '<workbook><sheets>', /not well-formed.*xl\/workbook.xml/],
      ] as const
    ).map(([what, directory, says]) => ({
      what: `a directory of ${what}`,
      bytes: changing('l/workbook.xml', { bytes: directory }),
      says,
    })),
    { what: 'no archive', bytes: 'id,title', says: /no workbook/ },
    { what: 'the first half of one', bytes: book(good).subarray(0, 300), says: /no workbook/ },
    {
      what: 'a directory that is not there',
      bytes: hostileZip(workbookParts(good, { name }), { start: 0x7fff_ffff }),
      says: /no workbook/,
    },
    {
      what: 'more parts than are there',
      bytes: hostileZip(workbookParts(good, { name }), { count: 900 }),
      says: /no workbook/,
    },
    {
      what: 'twenty thousand parts',
      bytes: hostileZip(Array.from({ length: 20_000 }, (_, n) => ({ name: `xl/p${n}.xml`, bytes: '' }))),
      says: /more than 10000 parts/,
    },
    {
      what: 'parts that would be 400 MB',
      bytes: withSheet({ statesBytes: 400_000_000 }),
      says: /inflates to more than 300000000 bytes/,
    },
    { what: 'less than it states', bytes: withSheet({ statesBytes: 100_000 }), says: /is damaged/ },
    {
      what: 'sizes of 64 bits that are not so',
      bytes: withSheet({ zip64Bytes: 1n << 60n }),
      says: /inflates to more than 300000000 bytes/,
    },
    {
      what: 'an archive as its sheet',
      bytes: book(hostileZip(workbookParts(good, { name }))),
      says: /not valid utf-8|not well-formed/,
    },
    {
      what: 'parts on the bytes of others',
      bytes: withPart({ name: 'xl/other.xml', bytes: good, at: 0 }),
      says: /overlaps another/,
    },
    {
      what: 'a part twice',
      bytes: withPart({ name: 'xl/workbook.xml', bytes: good }),
      says: /has the part .*xl\/workbook.xml.* twice/,
    },
    ...['xl/../../../etc/cron.d/x', '/etc/passwd', '..\\..\\x.xml', 'C:\\x.xml'].map((evil) => ({
      what: `a part called ${evil}`,
      bytes: withPart({ name: evil, bytes: 'x' }),
      says: /name leads out of it/,
    })),
    { what: 'encryption', bytes: withSheet({ flags: 1 }), says: /encrypted/ },
    {
      what: 'a way of packing that nobody reads',
      bytes: withSheet({ method: 93 }),
      says: /packed in a way that cannot be read/,
    },
    {
      what: 'an entity of a file',
      bytes: book(xml('&x;', '<!ENTITY x SYSTEM "file:///etc/passwd">')),
      says: /undefined entity[^]*sheet1\.xml/,
    },
    {
      what: 'an entity of an address',
      bytes: book(xml('&x;', `<!ENTITY x SYSTEM "${address}/x">`)),
      says: /undefined entity/,
    },
    { what: 'a plain entity', bytes: book(xml('&x;', '<!ENTITY x "x">')), says: /undefined entity/ },
    {
      what: 'a hundred thousand elements in each other',
      bytes: book('<a>'.repeat(100_000)),
      says: /nested more than 256 deep/,
    },
    {
      what: 'a long text in many cells',
      bytes: book(
        sheetOf(row('<c t="s"><v>0</v></c>').repeat(200)),
        `<sst><si><t>${'x'.repeat(900_000)}</t></si></sst>`,
      ),
      says: /holds more than 100000000 characters[^]*112/,
    },
    ...['XFE1', 'ZZZZZZZZ1', '12'].map((place) => ({
      what: `a cell at ${place}`,
      bytes: book(sheetOf(row(cell('x', place), '1'))),
      says: new RegExp(`cell at ${place}, beyond the last column`),
    })),
    ...['1048577', '1e9', '0', 'x'].map((number) => ({
      what: `a row ${number}`,
      bytes: book(sheetOf(row(cell('x'), number))),
      says: /row with the number .* which no spreadsheet has/,
    })),
    {
      what: 'twenty thousand cells in a row',
      bytes: book(sheetOf(row(cell('x').repeat(20_000)))),
      says: /beyond the last column/,
    },
  ];
}

/** Workbooks that become too large only as they are read, for one sort of job alone; the last two take seconds. The first `count` of them. */
export function largeWorkbooks(name: string, count: number): readonly HostileFile[] {
  const book = (sheet: string, strings = ''): Buffer => hostileZip(workbookParts(sheet, { name, strings }));
  const files: readonly (() => HostileFile)[] = [
    () => ({
      what: 'more than it states',
      bytes: hostileZip(
        workbookParts(new Uint8Array(50_000_000).fill(0x20), { name }).map((part) =>
          part.name.endsWith('sheet1.xml') ? { ...part, statesBytes: 1000 } : part,
        ),
      ),
      says: /inflates to more than the 1000 bytes that it states/,
    }),
    () => ({
      what: 'a cell of two million characters',
      bytes: book(sheetOf(row(cell('x'.repeat(2_000_000), 'B7'), '7'))),
      says: /holds more than 1000000 characters[^]*"row":7,"column":"B"/,
    }),
    () => ({
      what: 'merged areas of everything',
      bytes: book(
        sheetOf(
          row(cell('x', 'XFD1048576'), '1048576'),
          `<mergeCells>${'<mergeCell ref="A1:XFD1048576"/>'.repeat(100)}</mergeCells>`,
        ),
      ),
      says: /more than 5000000 merged cells/,
    }),
    () => ({
      what: 'three hundred thousand rows',
      bytes: book(sheetOf(row(cell('x')).repeat(300_000))),
      says: /more than 200000 rows/,
    }),
    () => ({
      what: 'six million shared texts',
      bytes: book(sheetOf(''), `<sst>${'<si/>'.repeat(5_100_000)}</sst>`),
      says: /more than 5000000 texts/,
    }),
  ];
  return files.slice(0, count).map((make) => make());
}
