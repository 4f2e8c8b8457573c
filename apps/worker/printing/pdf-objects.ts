// What printing needs of pdfkit beyond its types: its objects by number, its catalog and its subsets of fonts. pdfkit is pinned to one version.
import type PDFDocument from 'pdfkit';

/** An object of the file: written at `end`, known by its number before. */
export type PdfObject = { readonly id: number; data: object; end(): void };

/** A font of the document with the subset that is embedded: what is shown goes in by its number in the font. */
type EmbeddedFont = {
  readonly id: string;
  readonly scale: number;
  readonly font: { getGlyph(id: number): { readonly advanceWidth: number } };
  /** Glyphs by their numbers in the subset; one that is there twice may say two things. */
  readonly subset: { readonly glyphs: number[] };
  /** Widths in thousandths and code points by numbers of the subset. */
  readonly widths: (number | undefined)[];
  readonly unicode: (readonly number[] | undefined)[];
  ref(): PdfObject;
};

type Page = {
  readonly dictionary: PdfObject;
  readonly fonts: { [id: string]: PdfObject };
  readonly width: number;
  readonly height: number;
};

/** A pdfkit document with what printing uses of its inside. */
export type Inner = Omit<typeof PDFDocument.prototype, 'page' | 'ref'> & {
  readonly page: Page;
  readonly _font: EmbeddedFont;
  readonly _root: {
    readonly data: { [key: string]: unknown; readonly Pages: { readonly data: { readonly Kids: PdfObject[] } } };
  };
  ref(data: object): PdfObject;
  addContent(text: string): unknown;
  endMetadata(): void;
};

/** Text of PDF that pdfkit writes as it is: a reference by number, a list of them. */
export class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  // pdfkit takes plain objects for dictionaries, by this.
  get [Symbol.toStringTag](): string {
    return 'Raw';
  }
  toString(): string {
    return this.text;
  }
}

/** A reference to an object by its number, so that the object itself can go. */
export const reference = (id: number): Raw => new Raw(`${id} 0 R`);

/** A text as a string of PDF (UTF-16, in hexadecimal digits). */
export const pdfString = (text: string): string => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;

/** A number as PDF has it: two decimals are a fiftieth of what a printer shows. */
export const decimal = (value: number): string => String(Math.round(value * 100) / 100);
