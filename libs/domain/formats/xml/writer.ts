// Writes XML as text, piece by piece: every format that goes out is built with this, so that escaping and well-formedness are in one place.
import { escapeAttribute, escapeText } from './escape.ts';

/** Attributes of an element in order; those without a value are left out. */
export type Attributes = { readonly [name: string]: string | number | boolean | null | undefined };

/**
 * An XML document in the making. `take` gives what was written since the last call, so that a stream holds no more than its caller lets
 * gather. Elements are closed in order; an element without content is written `<name/>`.
 */
export class XmlWriter {
  readonly #open: string[] = [];
  #text = '';
  #isTagOpen = false;

  /** The declaration at the head of a document. */
  declaration(): this {
    this.#text += '<?xml version="1.0" encoding="UTF-8"?>\n';
    return this;
  }

  /** A start tag. Names are ours and not checked. */
  open(name: string, attributes?: Attributes): this {
    this.#endTag();
    this.#text += startOf(name, attributes);
    this.#open.push(name);
    this.#isTagOpen = true;
    return this;
  }

  /** Goes on inside an element whose start tag another writer has written. */
  resume(name: string): this {
    this.#open.push(name);
    return this;
  }

  /** The end tag of the element opened last. Throws where none is open: a fault of the code. */
  close(): this {
    const name = this.#open.pop();
    if (name === undefined) throw new Error('no element is open');
    this.#text += this.#isTagOpen ? '/>' : `</${name}>`;
    this.#isTagOpen = false;
    return this;
  }

  /** Text, escaped. */
  text(text: string): this {
    if (text === '') return this;
    this.#endTag();
    this.#text += escapeText(text);
    return this;
  }

  /** XML that is well-formed already, made by another writer. */
  raw(xml: string): this {
    if (xml === '') return this;
    this.#endTag();
    this.#text += xml;
    return this;
  }

  /** An element with text alone; without text an empty one. */
  element(name: string, attributes: Attributes, text = ''): this {
    this.#endTag();
    this.#text += startOf(name, attributes) + (text === '' ? '/>' : `>${escapeText(text)}</${name}>`);
    return this;
  }

  /** The same of XML that is well-formed already. */
  rawElement(name: string, attributes: Attributes | undefined, xml: string): this {
    this.#endTag();
    this.#text += startOf(name, attributes) + (xml === '' ? '/>' : `>${xml}</${name}>`);
    return this;
  }

  /** What was written since the last call. A start tag that is open is ended: its element has content or an end tag to come. */
  take(): string {
    const text = this.#isTagOpen ? `${this.#text}>` : this.#text;
    this.#isTagOpen = false;
    this.#text = '';
    return text;
  }

  /** How many characters wait to be taken. */
  get waiting(): number {
    return this.#text.length;
  }

  #endTag(): void {
    if (!this.#isTagOpen) return;
    this.#text += '>';
    this.#isTagOpen = false;
  }
}

/** A start tag without its end. */
function startOf(name: string, attributes: Attributes | undefined): string {
  let text = `<${name}`;
  for (const attribute in attributes) {
    const value = attributes[attribute];
    if (value !== null && value !== undefined && value !== '')
      text += ` ${attribute}="${escapeAttribute(String(value))}"`;
  }
  return text;
}
