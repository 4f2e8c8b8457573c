import { expect, it } from 'vitest';
import { writeDates } from '#domain/formats/mods/dates.ts';
import { XmlWriter } from '#domain/formats/xml/writer.ts';
import type { JsonObject } from '#domain/json.ts';

const written = (...dates: readonly JsonObject[]): string => {
  const xml = new XmlWriter();
  writeDates(xml, { dates });
  return xml.take();
};

it('chooses the element by label, inside originInfo', () => {
  const labels = ['creation', 'digitized', 'copyright', 'modified', 'broadcast', 'issued', 'publication', 'other'];
  expect(
    [...written(...labels.map((label) => ({ label, expression: label }))).matchAll(/<(\w+)>\w+<\//g)].map(
      (found) => found[1],
    ),
  ).toEqual([
    'dateCreated',
    'dateCaptured',
    'copyrightDate',
    'dateModified',
    'dateIssued',
    'dateIssued',
    'dateIssued',
    'dateOther',
  ]);
});

it('writes begin and end as points, and certainties the schema knows', () => {
  expect(written({ label: 'creation', begin: '1900', end: '1901', certainty: 'inferred' })).toBe(
    '<originInfo><dateCreated encoding="w3cdtf" keyDate="yes" point="start" qualifier="inferred">1900</dateCreated><dateCreated encoding="w3cdtf" point="end" qualifier="inferred">1901</dateCreated></originInfo>',
  );
  expect(written({ expression: 'x', certainty: 'guess' })).toBe('<originInfo><dateOther>x</dateOther></originInfo>');
  expect(written()).toBe('');
});
