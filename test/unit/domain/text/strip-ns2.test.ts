// The prefix ns2: in the markup of notes: what goes, and what looks alike and stays.
import { describe, expect, test } from 'vitest';
import { withoutNs2 } from '#domain/text/strip-ns2.ts';

const cleaned = (content: string): unknown => withoutNs2({ notes: [{ content: [content] }] });
const note = (content: string) => ({ notes: [{ content: [content] }] });

describe('the prefix ns2:', () => {
  test.each([
    [
      '<extref ns2:href="https://example.org/a" ns2:actuate=\'onRequest\'>a</extref>',
      '<extref href="https://example.org/a" actuate=\'onRequest\'>a</extref>',
    ],
    ['<ns2:extref\n\tns2:title="1 > 0"/>, </ns2:extref>', '<extref\n\ttitle="1 > 0"/>, </extref>'],
    ['a < b <emph ns2:render="italic">c</emph>', 'a < b <emph render="italic">c</emph>'],
  ])('goes out of names: %s', (before, after) => {
    expect(cleaned(before)).toEqual(note(after));
  });

  test.each([
    'The prefix ns2:href is odd',
    '<ref href="ns2:a" title="see ns2:b">ns2:c</ref>',
    '<ref href="a" ns2:href="b"/>',
    '<ref ns2:/>',
    '<ref ns2:href="never closed',
    '<xns2:a b-ns2:c="d"/>',
  ])('stays where it is text, part of a name, or needed: %s', (text) => {
    const body = note(text);
    expect(withoutNs2(body)).toBe(body);
  });

  test('is looked for in notes at any depth, and nowhere else', () => {
    const [dirty, clean] = ['<a ns2:b="c"/>', '<a b="c"/>'];
    const body = {
      title: dirty,
      dates: [{ expression: dirty }],
      notes: [{ subnotes: [{ items: [{ value: dirty }] }] }],
      lang_materials: [{ notes: [{ content: [dirty, 'x'] }] }],
      rights_statements: [{ acts: [{ notes: [{ content: [dirty] }] }] }],
    };
    expect(withoutNs2(body)).toEqual({
      ...body,
      notes: [{ subnotes: [{ items: [{ value: clean }] }] }],
      lang_materials: [{ notes: [{ content: [clean, 'x'] }] }],
      rights_statements: [{ acts: [{ notes: [{ content: [clean] }] }] }],
    });
  });
});
