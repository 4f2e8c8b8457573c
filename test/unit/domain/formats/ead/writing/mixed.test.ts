// What notes hold, fitted into what EAD allows at a place.
import { describe, expect, test } from 'vitest';
import { allBlocksXml, blocksXml, inlineXml } from '#domain/formats/ead/writing/mixed.ts';
import { ead2002 } from '#domain/formats/ead/writing/model-2002.ts';
import { ead3 } from '#domain/formats/ead/writing/model-3.ts';

describe('inline content', () => {
  const inline = (text: string): string => inlineXml(ead2002, ead2002.basic, text);

  test('keeps what is allowed and gives the text of the rest', () => {
    expect(inline('<emph render="italic">a</emph> <p>b</p><persname>c</persname>')).toBe(
      '<emph render="italic">a</emph>  b c',
    );
  });

  test('puts links into the namespace of XLink and encodes what no address may hold', () => {
    expect(inline('<extref href="http://a b" show="NEW" actuate="onrequest" bogus="1">x</extref>')).toBe(
      '<extref xlink:href="http://a%20b" xlink:show="new" xlink:actuate="onRequest">x</extref>',
    );
  });

  test('makes elements of HTML those of EAD, and blank lines line breaks', () => {
    expect(inline('<b>a</b><br>c\n\nd')).toBe('<emph render="bold">a</emph><lb/>c<lb/>d');
  });

  test.each([
    ['b', 'bold'],
    ['strong', 'bold'],
    ['i', 'italic'],
    ['em', 'italic'],
    ['u', 'underline'],
    ['sub', 'sub'],
    ['sup', 'super'],
  ])('has what browsers show by <%s> as emphasis that is rendered %s', (tag, render) => {
    for (const model of [ead2002, ead3])
      expect(inlineXml(model, model.basic, `H<${tag}>2</${tag}>O`)).toBe(`H<emph render="${render}">2</emph>O`);
  });

  test.each(
    'p item head label event entry row addressline blockquote note chronitem defitem div li ul ol table td tr'.split(
      ' ',
    ),
  )('keeps words apart where <%s> between them has no place', (tag) => {
    for (const model of [ead2002, ead3])
      expect(inlineXml(model, model.bare, `a<${tag}>b</${tag}>c`).replace(/ +/g, ' ')).toBe('a b c');
  });

  test('escapes a text whose tags do not match, whole', () => {
    expect(inline('<emph>a & b')).toBe('&lt;emph&gt;a &amp; b');
  });

  test('keeps days that dates are normalized to, as far as the schema takes them', () => {
    const dates = '<date normal="1900-02/19010305" type="span">a</date> <date normal="c. 1900">b</date>';
    expect(inlineXml(ead2002, ead2002.paragraph, `${dates} <unitdate normal="1900">c</unitdate>`)).toBe(
      '<date normal="1900-02/19010305" type="span">a</date> <date>b</date> <unitdate normal="1900">c</unitdate>',
    );
    expect(inlineXml(ead3, ead3.paragraph, '<unitdate normal="1900">c</unitdate>')).toBe(
      '<date normal="1900">c</date>',
    );
  });

  test('has line feeds alone at the ends of its lines', () => {
    expect(inline('a\r\nb\rc')).toBe('a\nb\nc');
  });

  test('becomes that of EAD3 there', () => {
    expect(
      inlineXml(
        ead3,
        ead3.title,
        '<extref xlink:href="http://x" xlink:title="T">a</extref><persname role="cre" authfilenumber="n1">P</persname><list type="ordered" numeration="arabic"><item>i</item></list>',
      ),
    ).toBe(
      '<ref href="http://x" linktitle="T">a</ref><persname relator="cre" identifier="n1"><part>P</part></persname>  i',
    );
  });
});

describe('blocks', () => {
  const blocks = (text: string): unknown => blocksXml(ead2002, text);

  test('are paragraphs at blank lines, also around inline markup', () => {
    expect(blocks('a <emph>b\nc</emph>\n\n d \n \n')).toEqual({ xml: '<p>a <emph>b\nc</emph></p><p>d</p>' });
  });

  test('are the same where lines end as forms of browsers send them', () => {
    expect(blocks('a\r\nb\r\n\r\nc')).toEqual({ xml: '<p>a\nb</p><p>c</p>' });
    expect(blocks('a\r\nb')).toEqual({ xml: '<p>a\nb</p>' });
  });

  test('leave lists and quotations between paragraphs', () => {
    expect(blocks('a<list type="simple"><item>i</item></list>b<blockquote>q</blockquote>')).toEqual({
      xml: '<p>a</p><list type="simple"><item>i</item></list><p>b</p><blockquote><p>q</p></blockquote>',
    });
  });

  test('give the text of a list that is none', () => {
    expect(blocks('<list>x</list>')).toEqual({ xml: '<p>x</p>' });
  });

  test('have the type of their lists under the name that EAD3 gives it', () => {
    expect(blocksXml(ead3, '<list type="ordered" numeration="arabic"><item>i</item></list>')).toEqual({
      xml: '<list listtype="ordered" numeration="decimal"><item>i</item></list>',
    });
    expect(blocksXml(ead3, '<list type="marked"><item>i</item></list>')).toEqual({
      xml: '<list listtype="unordered"><item>i</item></list>',
    });
  });

  test('are marked, each of them, where the text is internal', () => {
    expect(blocksXml(ead2002, 'a', 'internal')).toEqual({ xml: '<p audience="internal">a</p>' });
    expect(blocksXml(ead3, 'a & b\n\n<list audience="external"><item>i</item></list>', 'internal')).toEqual({
      xml: '<p audience="internal">a &amp; b</p><list audience="internal"><item>i</item></list>',
    });
  });

  test('give their heading apart, the first of several, and keep one that has no place as text', () => {
    expect(blocks('<head>H</head><p>a</p>')).toEqual({ xml: '<p>a</p>', head: 'H' });
    expect(blocksXml(ead2002, '<head>H</head><p>a</p>', undefined, false)).toEqual({ xml: '<p>H</p><p>a</p>' });
    expect(allBlocksXml(ead3, ['<head>H</head><p>a</p>', '<head>I</head><p>b</p>'])).toEqual({
      xml: '<p>a</p><p>I</p><p>b</p>',
      head: 'H',
    });
  });

  test('stay internal where a paragraph says so', () => {
    expect(blocks('<p audience="internal">a</p><p altrender="x" bogus="1">b</p><p>c</p>')).toEqual({
      xml: '<p audience="internal">a</p><p altrender="x">b</p><p>c</p>',
    });
    expect(blocksXml(ead3, '<p audience="external">a</p>', 'internal')).toEqual({
      xml: '<p audience="internal">a</p>',
    });
  });
});

test('a chronology of EAD 2002 among words is one of EAD3, of its elements', () => {
  const chronology =
    '<chronlist><head>Life</head><chronitem><date normal="1900-02">1900</date><event>Came <i>here</i></event></chronitem><chronitem><date type="span" normal="1901/1902">1901-1902</date><eventgrp><event>Left</event><event>Came back</event></eventgrp></chronitem></chronlist>';
  expect(blocksXml(ead3, `Before ${chronology} after`).xml).toBe(
    '<p>Before</p><chronlist><head>Life</head><chronitem><datesingle standarddate="1900-02">1900</datesingle><event>Came <emph render="italic">here</emph></event></chronitem><chronitem><datesingle localtype="span">1901-1902</datesingle><chronitemset><event>Left</event><event>Came back</event></chronitemset></chronitem></chronlist><p>after</p>',
  );
  expect(blocksXml(ead2002, chronology).xml).toContain('<chronitem><date normal="1900-02">1900</date><event>');
  expect(blocksXml(ead3, '<chronlist><chronitem>1900</chronitem></chronlist>').xml).toBe('<p>1900</p>');
});
