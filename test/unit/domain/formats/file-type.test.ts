// What a file to import is, by its beginning.
import { describe, expect, it } from 'vitest';
import { fileType } from '#domain/formats/file-type.ts';

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
    [
      'authority records of MARC',
      '<marc:collection xmlns:marc="http://www.loc.gov/MARC21/slim"><marc:record><marc:leader>00000nz  a22</marc:leader>',
      'a.xml',
      'marcxml_auth_agent',
    ],
    ['archival descriptions of AtoM', 'legacyId,parentId,title,levelOfDescription\n', 'a.csv', 'atom_description_csv'],
    ['an empty file', '', 'a.xml', null],
  ])('of %s', (_what, text, name, type) => {
    expect(fileType(typeof text === 'string' ? Buffer.from(text) : text, name)).toBe(type);
  });
});
