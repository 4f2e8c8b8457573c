// Every declared import: its type is its own, and jobs offer the contract's types in its order.
import { expect, it } from 'vitest';
import { defineImport } from '#domain/formats/define-import.ts';
import { importFormats, importTypes } from '#domain/formats/import-types.ts';
import { allImports } from '#domain/formats/imports.ts';

it('no two imports have one name', () => {
  expect(importFormats.size).toBe(allImports.length);
});

it('offers the types of the contract in its order, and further ones by name after them', () => {
  expect(importTypes.map(({ name }) => name)).toEqual([
    'accession_csv',
    'assessment_csv',
    'digital_object_csv',
    'eac_xml',
    'ead_xml',
    'location_csv',
    'marcxml_auth_agent',
    'marcxml_accession',
    'marcxml',
    'marcxml_subjects_and_agents',
    'subject_csv',
    'atom_accession_csv',
    'atom_authority_csv',
    'atom_description_csv',
  ]);
  const places = allImports.flatMap(({ place }) => place ?? []).toSorted((a, b) => a - b);
  expect(places).toEqual(places.map((_, index) => index + 1));
});

it('gives an import as it was declared', () => {
  for (const each of allImports) expect(defineImport(each)).toBe(each);
});
