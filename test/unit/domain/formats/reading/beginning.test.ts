// The beginning of a file: what shows in it.
import { expect, it } from 'vitest';
import { isAuthority, isMarcXml } from '#domain/formats/marc/reading/beginning.ts';
import { opensWith, readBeginning } from '#domain/formats/reading/beginning.ts';

const of = (text: string) => readBeginning(Buffer.from(text));

it('has the elements of XML in their order, whatever stands in prologue and comments', () => {
  const beginning = of(
    '\ufeff<?xml version="1.0"?><!-- <ead> --><!DOCTYPE x [<!ENTITY a "<eac>">]>\n<x:Root><A-b/></x:Root><cut',
  );
  expect(beginning.elements).toEqual(['root', 'a-b', 'cut']);
  expect(beginning.headings).toEqual([]);
  expect(opensWith(beginning, ['ead', 'eac'])).toBe(false);
  expect(opensWith(of('<list><eac-cpf><ead>'), ['eac-cpf'])).toBe(true);
  expect(opensWith(of('<list><eac-cpf><ead>'), ['ead'])).toBe(false);
});

it.each([
  ['a,b\n1,2', ['a', 'b']],
  ['\r\n , \r\n"a ""x"", y",b\r\n', ['a "x", y', 'b']],
  ['"a\nb",c', ['a\nb', 'c']],
  ['only', ['only']],
  ['', []],
  [',,\n', []],
])('has the first row of %j that is not blank', (text, headings) => {
  expect(of(text).headings).toEqual(headings);
});

it('reads UTF-16', () => {
  expect(readBeginning(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<ead>', 'utf16le')])).elements).toEqual([
    'ead',
  ]);
});

it('tells authority data from bibliographic', () => {
  const marc = (type: string) =>
    of(`<collection xmlns="http://www.loc.gov/MARC21/slim"><record><leader>00000n${type}c a22</leader>`);
  expect([isMarcXml(marc('p')), isAuthority(marc('p')), isAuthority(marc('z'))]).toEqual([true, false, true]);
  expect(isMarcXml(of('<collection><record>'))).toBe(false);
});
