// What a file is, by its beginning; and what a folder stands for.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles, sniff } from '../../../../apps/cli/import/files.ts';
import { filesForTests } from '../run-cli.ts';

const files = filesForTests();

describe('the type of a file', () => {
  it.each<[string, string | Uint8Array, string, string | null]>([
    ['an array of records', ' \n[{"uri":"/x"}]', 'a.txt', 'json'],
    [
      'EAD with a declaration, a comment and a document type',
      '<?xml version="1.0"?>\n<!-- <eac-cpf> -->\n<!DOCTYPE ead PUBLIC "+//ISBN" "ead.dtd" [\n<!ENTITY logo SYSTEM "<record>">\n]>\n<ead audience="external">',
      'a.xml',
      'ead_xml',
    ],
    ['EAD with a prefix and a byte order mark', '\ufeff<e:ead xmlns:e="urn:isbn:1-931666-22-9">', 'a', 'ead_xml'],
    ['EAD in UTF-16', new Uint8Array([0xff, 0xfe, ...Buffer.from('<ead>', 'utf16le')]), 'a.xml', 'ead_xml'],
    ['EAC-CPF', '<eac-cpf xmlns="urn:isbn:1-931666-33-4">', 'a.xml', 'eac_xml'],
    ['MARC', '<collection xmlns="http://www.loc.gov/MARC21/slim"><record>', 'a.xml', 'marcxml'],
    [
      'a prologue longer than what is looked at, in a file that ends on .xml',
      '<!-- begins and does not end',
      'a.XML',
      'ead_xml',
    ],
    ['another sort of XML', '<html><body/>', 'a.xml', null],
    ['one record that is no array', '{"uri":"/x"}', 'a.json', null],
    ['a sheet of accessions', '\ufeff\r\n,\r\n"accession_title",accession_number_1', 'a.csv', 'accession_csv'],
    ['a sheet of a sort that nobody knows', 'title,number', 'a.csv', null],
    ['EAD in an answer of OAI-PMH', '<OAI-PMH><GetRecord><record><metadata><ead:ead>', 'a.xml', 'ead_xml'],
    ['EAC-CPF of the draft', '<eac type="persname">', 'a.xml', 'eac_xml'],
    ['an empty file', '', 'a.xml', null],
  ])('of %s', (_what, text, name, type) => {
    expect(sniff(typeof text === 'string' ? Buffer.from(text) : text, name)).toBe(type);
  });
});

describe('the files of the arguments', () => {
  it('keeps the order given, and takes what can be imported of a folder, sorted', async () => {
    mkdirSync(join(files.folder, 'aids', 'deep'), { recursive: true });
    for (const name of [
      'aids/b.xml',
      'aids/a.json',
      'aids/deep/c.XML',
      'aids/readme.txt',
      'aids/people.csv',
      'aids/.hidden.xml',
    ])
      files.put(name, 'x');
    files.put('first.dat', 'four');
    const names = async (type?: string) =>
      (await listFiles(['first.dat', 'aids'], files.folder, type)).map(({ name }) => name);
    expect(await names()).toEqual(['first.dat', 'aids/a.json', 'aids/b.xml', 'aids/deep/c.XML']);
    expect(await names('accession_csv')).toEqual(['first.dat', 'aids/people.csv']);
    expect((await listFiles(['first.dat'], files.folder, undefined))[0]?.sizeBytes).toBe(4);
  });

  it('refuses a folder without anything to import', async () => {
    mkdirSync(join(files.folder, 'empty'));
    await expect(listFiles(['empty'], files.folder, undefined)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('holds no files'),
    });
  });
});
