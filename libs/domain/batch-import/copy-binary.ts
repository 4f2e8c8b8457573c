// Rows as PostgreSQL's COPY takes them in its binary format: each value as its type is held, with its length before it, so that nothing is
// escaped here or parsed there (PostgreSQL: COPY, File Formats, Binary Format; the receive functions of the types).

/** A lexeme of a tsvector with its places: 14 bits of position, from 1, below two bits of weight (3: A, 2: B, 1: C, 0: D), ascending by position. */
export type PlacedLexeme = { readonly lexeme: string; readonly places: readonly number[] };

/** What comes before the rows of a copy: signature, no flags, no extension. */
export const copyHeader: Uint8Array = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');

/** What comes after them. */
export const copyTrailer: Uint8Array = Buffer.from([0xff, 0xff]);

// Ids of types that stand in arrays (PostgreSQL: pg_type).
const int4Type = 23;
const textType = 25;
const jsonbVersion = 1;
// Times count from 2000-01-01.
const epochMs = 946_684_800_000;

/** Writes values one after another; `row` begins a row of so many. */
export class CopyWriter {
  #bytes: Buffer;
  #end = 0;

  /** `size`: bytes to begin with; more are taken as they are needed. */
  constructor(size = 65_536) {
    this.#bytes = Buffer.allocUnsafeSlow(size);
  }

  /** The number of bytes written. */
  get length(): number {
    return this.#end;
  }

  /** What was written. Nothing may be written afterwards. */
  finish(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#bytes.buffer as ArrayBuffer, 0, this.#end);
  }

  row(values: number): this {
    this.#reserve(2);
    return this.#int2(values);
  }

  /** Values that another writer has made. */
  raw(bytes: Uint8Array): this {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#end);
    this.#end += bytes.length;
    return this;
  }

  text(value: string | null): this {
    if (value === null) return this.#null();
    const length = this.#begin(value.length * 3);
    this.#string(value);
    return this.#close(length);
  }

  /** JSON text of a json column is text. */
  jsonb(text: string): this {
    const length = this.#begin(1 + text.length * 3);
    this.#bytes[this.#end++] = jsonbVersion;
    this.#string(text);
    return this.#close(length);
  }

  bool(value: boolean): this {
    this.#reserve(5);
    this.#int4(1);
    this.#bytes[this.#end++] = value ? 1 : 0;
    return this;
  }

  int2(value: number): this {
    this.#reserve(6);
    return this.#int4(2).#int2(value);
  }

  int4(value: number | null): this {
    if (value === null) return this.#null();
    this.#reserve(8);
    return this.#int4(4).#int4(value);
  }

  /** An int8 within JavaScript's whole numbers. */
  int8(value: number): this {
    this.#reserve(12);
    return this.#int4(8).#int8(BigInt(value));
  }

  float4(value: number): this {
    this.#reserve(8);
    this.#int4(4);
    this.#end = this.#bytes.writeFloatBE(value, this.#end);
    return this;
  }

  /** A timestamptz of an ISO 8601 time. Throws a RangeError for what is none. */
  time(value: string | null): this {
    if (value === null) return this.#null();
    this.#reserve(12);
    return this.#int4(8).#int8(BigInt(Date.parse(value) - epochMs) * 1000n);
  }

  texts(values: readonly string[]): this {
    const length = this.#begin(20 + values.reduce((sum, value) => sum + 4 + value.length * 3, 0));
    this.#array(textType, values.length);
    for (const value of values) {
      const inner = this.#open();
      this.#string(value);
      this.#close(inner);
    }
    return this.#close(length);
  }

  int4s(values: readonly number[]): this {
    const length = this.#begin(20 + values.length * 8);
    this.#array(int4Type, values.length);
    for (const value of values) this.#int4(4).#int4(value);
    return this.#close(length);
  }

  /** A tsvector of different lexemes, in any order, of those of their places that `isKept` keeps; a lexeme none of whose places is kept is left out. */
  tsvector(lexemes: Iterable<PlacedLexeme>, isKept?: (place: number) => boolean): this {
    const length = this.#begin(4);
    const count = this.#end;
    this.#int4(0);
    let written = 0;
    for (const { lexeme, places } of lexemes) {
      let kept = places.length;
      if (isKept !== undefined) {
        kept = 0;
        for (const place of places) if (isKept(place)) kept += 1;
        if (kept === 0) continue;
      }
      this.#reserve(lexeme.length * 3 + 3 + kept * 2);
      this.#string(lexeme);
      this.#bytes[this.#end++] = 0;
      this.#int2(kept);
      for (const place of places) if (isKept === undefined || isKept(place)) this.#int2(place);
      written += 1;
    }
    this.#bytes.writeInt32BE(written, count);
    return this.#close(length);
  }

  #reserve(more: number): void {
    if (this.#end + more <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#end + more));
    grown.set(this.#bytes.subarray(0, this.#end));
    this.#bytes = grown;
  }

  /** Opens a value of at most so many bytes; gives the place of its length. */
  #begin(most: number): number {
    this.#reserve(4 + most);
    return this.#open();
  }

  #open(): number {
    const at = this.#end;
    this.#end += 4;
    return at;
  }

  #close(lengthAt: number): this {
    this.#bytes.writeInt32BE(this.#end - lengthAt - 4, lengthAt);
    return this;
  }

  #null(): this {
    this.#reserve(4);
    return this.#int4(-1);
  }

  #array(type: number, count: number): void {
    this.#int4(count === 0 ? 0 : 1)
      .#int4(0)
      .#int4(type);
    if (count > 0) this.#int4(count).#int4(1);
  }

  // Short plain texts are faster letter by letter than through a call; room for three bytes a letter is there.
  #string(value: string): void {
    const { length } = value;
    if (length > 64) {
      this.#end += this.#bytes.write(value, this.#end, 'utf8');
      return;
    }
    for (let at = 0; at < length; at++) {
      const code = value.charCodeAt(at);
      if (code > 0x7f) {
        this.#end += this.#bytes.write(value, this.#end, 'utf8');
        return;
      }
      this.#bytes[this.#end + at] = code;
    }
    this.#end += length;
  }

  #int2(value: number): this {
    this.#bytes[this.#end++] = value >>> 8;
    this.#bytes[this.#end++] = value;
    return this;
  }

  #int4(value: number): this {
    return this.#int2(value >> 16).#int2(value);
  }

  #int8(value: bigint): this {
    this.#end = this.#bytes.writeBigInt64BE(value, this.#end);
    return this;
  }
}
