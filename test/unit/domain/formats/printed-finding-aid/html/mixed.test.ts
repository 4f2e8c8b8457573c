// Mixed content of records as HTML, in one line and in paragraphs.
import { expect, test } from 'vitest';
import { expectKept, keptText } from '#test/support/kept.ts';
import { blocksHtml, inlineHtml } from '#domain/formats/printed-finding-aid/html/mixed.ts';

test('what stands by itself gives its text alone where there is one line', () => {
  const given = 'One<p>two</p><item>three</item><blockquote>four</blockquote><emph render="bold">five</emph>';
  expect(inlineHtml(given)).toBe('One two  three  four <strong>five</strong>');
});

test('quotations, lists and their paragraphs stand by themselves', () => {
  const given =
    '<blockquote>One <emph render="bold">two</emph></blockquote><list type="ordered"><item>three<p>four</p></item></list><list><item>five</item></list>';
  expect(blocksHtml(given)).toBe(
    '<blockquote>One <strong>two</strong></blockquote><ol><li>three<p>four</p></li></ol><ul><li>five</li></ul>',
  );
});

test('keeps the words around a list, in paragraphs of their own', () => {
  expect(blocksHtml('before <list><item>one</item></list> after <emph>all</emph>')).toMatch(
    /^<p dir="auto">before\s*<\/p><ul.*<\/ul><p dir="auto">\s*after <em>all<\/em><\/p>$/,
  );
});

test('a list keeps its head, and what stands in it beside items', () => {
  const given =
    '<list><head>Series</head><item>one</item><defitem><label>two</label><item>three</item></defitem></list>';
  expect(blocksHtml(given)).toBe('<strong>Series</strong><ul><li>one</li><li>two  three</li></ul>');
  expect(blocksHtml('<ol><li>one</li><li>two<ul><li>three</li></ul></li></ol>')).toBe(
    '<ol><li>one</li><li>two<ul><li>three</li></ul></li></ol>',
  );
});

test.each([
  ['<table><tgroup><tbody><row><entry>one</entry><entry>two</entry></row></tbody></tgroup></table>'],
  ['<table><tr><th>one</th><td>two</td></tr></table>'],
  ['<chronlist><chronitem><date>one</date><event>two</event></chronitem></chronlist>'],
  ['<address><addressline>one</addressline><addressline>two</addressline></address>'],
  ['<h3>one</h3>two'],
  ['<head>one</head>two'],
  ['one<lb>two</lb>'],
])('no words are lost or joined in %s', (given) => {
  for (const html of [blocksHtml(given), inlineHtml(given)])
    expect(html.replaceAll('<br>', ' ').replaceAll(/<[^>]*>/g, '')).toMatch(/^\s*one\s+two\s*$/);
});

test('every element of descriptions is written as it is kept, in one line and in paragraphs', async () => {
  const names =
    'abbr address addressline archref bibref bibseries blockquote chronitem chronlist corpname date defitem emph event expan extptr extref famname function genreform geogname head head01 imprint item label lb linkgrp list listhead name note num occupation origination p persname ptr ref refloc repository row subject table title titleproper unitdate unittitle ' +
    'a b br div em h3 hr i img iframe li ol p q script span strong style sub sup td th tr u ul';
  const renders = 'bold italic underline sub super smcaps doublequote singlequote boldsmcaps nonproport altrender';
  const addresses = ['https://a.example/?b=1&amp;c=2', 'HTTP://a.example', 'javascript:alert(1)', '/local', '#id', ''];
  const given = [
    ...names.split(' ').map((name) => `one <${name}>two</${name}> three`),
    ...renders.split(' ').map((render) => `<emph render="${render}">one</emph>`),
    ...['a', 'extref', 'ref', 'archref', 'bibref', 'extptr', 'ptr', 'dao', 'linkgrp'].flatMap((name) => [
      ...addresses.map((href) => `<${name} href="${href}">one</${name}>`),
      `<${name} xlink:href=" https://a.example "/>`,
    ]),
    ...['list', 'ul', 'ol'].flatMap((name) => [
      `<${name}/>`,
      `<${name} type="ordered"><item>one</item> <li>two</li></${name}>`,
      `<${name}><head>one</head><listhead>two</listhead>three<label>four</label></${name}>`,
    ]),
  ];
  const written = given.map((text) => [text, [inlineHtml(text), blocksHtml(text)]]);
  await expectKept(keptText(Object.fromEntries(written), 1), 'printed/mixed-html.json');
});
