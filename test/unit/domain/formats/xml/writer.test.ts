import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { expect, it } from 'vitest';
import { XmlWriter } from '#domain/formats/xml/writer.ts';

it('closes elements in order, the empty ones short, and leaves absent attributes out', () => {
  const writer = new XmlWriter()
    .declaration()
    .open('ead', { xmlns: 'urn:x', id: null, level: '' })
    .element('unittitle', {}, 'A & B <c>')
    .element('ptr', { href: 'a"b' })
    .open('did')
    .close()
    .close();
  expect(writer.take()).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<ead xmlns="urn:x"><unittitle>A &amp; B &lt;c&gt;</unittitle><ptr href="a&quot;b"/><did/></ead>',
  );
  expect(writer.take()).toBe('');
});

it('gives what was written in pieces', () => {
  const writer = new XmlWriter().open('a');
  expect([writer.take(), writer.text('b').take(), writer.close().take()]).toEqual(['<a>', 'b', '</a>']);
});

it('writes any text so that a parser reads it back, but for characters that XML forbids', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (text, value) => {
      const xml = new XmlWriter()
        .open('a', { v: `x${value}` })
        .text(text)
        .close()
        .take();
      const read = { text: '', value: '' };
      const parser = new SaxesParser();
      parser.on('error', (error) => {
        throw error;
      });
      parser.on('text', (part) => {
        read.text += part;
      });
      parser.on('opentag', (tag) => {
        read.value = String(tag.attributes['v']);
      });
      parser.write(xml).close();
      const allowed = (given: string): string =>
        [...given]
          .filter((character) => /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]$/u.test(character))
          .join('');
      expect([read.text, read.value]).toEqual([allowed(text), `x${allowed(value)}`]);
    }),
  );
});

it('writes an element in one step as it does in three, be it of text or of XML', () => {
  const value = fc.option(fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean()), { nil: undefined });
  fc.assert(
    fc.property(fc.record({ id: value, label: value }), fc.string({ unit: 'binary' }), (attributes, text) => {
      const inSteps = new XmlWriter().open('a').open('b', attributes).text(text).close();
      const escaped = new XmlWriter().text(text).take();
      expect(new XmlWriter().open('a').element('b', attributes, text).take()).toBe(inSteps.take());
      expect(new XmlWriter().open('a').rawElement('b', attributes, escaped).take()).toBe(
        new XmlWriter().open('a').open('b', attributes).raw(escaped).close().take(),
      );
    }),
  );
});
