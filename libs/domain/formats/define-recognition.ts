// defineRecognition(): by what the files of an import type are known, from their beginning alone. It stands apart from the import and its reader, since
// the console and the command line tell files by it and read none. A standard declares its own in formats/<standard>/recognition.ts; `npm run
// generate` lists them.

/** What the beginning of a file shows. */
export type Beginning = {
  /** Local names of the elements that open in it, in lower case and in order; empty where it is no XML. */
  readonly elements: readonly string[];
  /** The cells of its first row that is not blank; empty where it is XML. */
  readonly headings: readonly string[];
  /** The text, without a byte order mark, comments, declarations and DOCTYPE. */
  readonly text: string;
};

/** A declaration: a file that begins so is one of this import type, and of no other. Import types without one are named by people alone. */
export type Recognition = { readonly importType: string; readonly recognises: (beginning: Beginning) => boolean };

/** Declares a recognition. */
export function defineRecognition(importType: string, recognises: Recognition['recognises']): Recognition {
  return { importType, recognises };
}
