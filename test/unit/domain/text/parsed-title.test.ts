// What trees show of titles with markup (contract, trees 1.7).
import { describe, expect, test } from 'vitest';
import { parsedTitle } from '#domain/text/parsed-title.ts';

describe('a title with markup', () => {
  test('keeps plain text, null and blank as they are', () => {
    expect(parsedTitle(null)).toBeNull();
    expect(parsedTitle('  ')).toBe('');
    expect(parsedTitle('Letters, 1900-1950')).toBe('Letters, 1900-1950');
  });

  test('shows emph, title and unitdate as spans with their render', () => {
    expect(parsedTitle('<emph render="italic">Tt</emph> a')).toBe('<span class="emph render-italic">Tt</span> a');
    expect(parsedTitle('<title>T</title> <unitdate>1900</unitdate>')).toBe(
      '<span class="emph render-none">T</span> <span class="emph render-none">1900</span>',
    );
    expect(parsedTitle("<emph render='nonproport'>x</emph>")).toBe('<code class="emph render-nonproport">x</code>');
  });

  test('turns lb into br and keeps basic elements', () => {
    expect(parsedTitle('a<lb/>b <i>c</i><br>d')).toBe('a<br />b <i>c</i><br />d');
  });

  test('drops other elements and keeps what they hold, but not scripts', () => {
    expect(parsedTitle('<persname role="x">Ann</persname><script>alert(1)</script>')).toBe('Ann');
    expect(parsedTitle('<i onclick="x()">a</i>')).toBe('<i>a</i>');
    expect(parsedTitle('<a href="javascript:x()">a</a>')).toBe('<a rel="nofollow">a</a>');
  });

  test('escapes what is no markup, once', () => {
    expect(parsedTitle('E-mail of <ann@example.org>, <http://example.org/a>')).toBe(
      'E-mail of &lt;ann@example.org&gt;, &lt;http://example.org/a&gt;',
    );
    expect(parsedTitle('A & B')).toBe('A &amp; B');
    expect(parsedTitle('A &amp; B')).toBe('A &amp; B');
    expect(parsedTitle('Caf&eacute; &frac12; &Uuml;ber &constructor;')).toBe('Café ½ Über &amp;constructor;');
    expect(parsedTitle('1 < 2 &unknown; <')).toBe('1 &lt; 2 &amp;unknown; &lt;');
    expect(parsedTitle('<emph render="a&quot;><b">x</emph>')).toBe(
      '<span class="emph render-a&quot;&gt;&lt;b">x</span>',
    );
  });

  test('is well-formed however the title is', () => {
    expect(parsedTitle('<b><i>x</b>')).toBe('<b><i>x</i></b>');
    expect(parsedTitle('</b>x<emph>')).toBe('x<span class="emph render-none"></span>');
  });

  // With a title of 8,192 characters it was a quarter of a second, and a level of a tree has 200 of them; the square of that length is minutes here.
  test('takes no longer than its length asks for', () => {
    const started = performance.now();
    for (const inside of ['a', 'a-', 'a:', 'a ', 'a=', 'a="" ', '1a'])
      parsedTitle(`<emph ${inside.repeat(150_000 / inside.length)}>x</emph>`);
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(parsedTitle(`<emph ${'a'.repeat(100)} render = "bold" b>x</emph>`)).toBe(
      '<span class="emph render-bold">x</span>',
    );
  });
});
