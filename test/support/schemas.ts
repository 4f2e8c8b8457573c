// Validation against the published XML schemas, which are not in the repository: `shared/schemas/xsd` beside the project, or
// MUNIMENT_SCHEMAS. Without them documents are checked against the project's own content models alone (test/support/export-faults.ts).
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  XmlBufferInputProvider,
  XmlDocument,
  XsdValidator,
  xmlCleanupInputProvider,
  xmlRegisterInputProvider,
} from 'libxml2-wasm';

/** Gives the faults of a document against a schema, each with its line; none for a valid one. */
export type Validator = (xml: string) => readonly string[];

/** The folder of the schemas, or undefined (with a warning that says so) where it is absent; it is known by a schema that must be in it. */
export function schemaFolder(needed = 'ead2002.xsd'): string | undefined {
  const folder = process.env['MUNIMENT_SCHEMAS'] ?? resolve(import.meta.dirname, '../../../shared/schemas/xsd');
  if (existsSync(resolve(folder, needed))) return folder;
  console.warn(
    `No published schemas at ${folder}: our own content models alone. MUNIMENT_SCHEMAS names the folder of ${needed}.`,
  );
  return undefined;
}

/** Reads a schema of the folder. */
export function validatorOf(folder: string, schema: string): Validator {
  const bytes = (name: string): Uint8Array => readFileSync(resolve(folder, name));
  // Schemas name each other by the addresses of their publishers.
  const local = readFileSync(resolve(folder, schema), 'utf8').replace(
    /schemaLocation="[^"]*?\/?(xlink|xml)\.xsd"/g,
    'schemaLocation="memory:///$1.xsd"',
  );
  return compileSchema(local, { 'xlink.xsd': bytes('xlink.xsd'), 'xml.xsd': bytes('xml.xsd') });
}

/** Compiles the text of a schema; those it imports are given by name, and it names them `memory:///<name>`. */
export function compileSchema(schema: string, imported: { readonly [name: string]: Uint8Array }): Validator {
  xmlCleanupInputProvider();
  xmlRegisterInputProvider(
    new XmlBufferInputProvider(
      Object.fromEntries(Object.entries(imported).map(([name, bytes]) => [`memory:///${name}`, bytes])),
    ),
  );
  const validator = XsdValidator.fromDoc(XmlDocument.fromString(schema));
  return (xml) => {
    try {
      const document = XmlDocument.fromString(xml);
      try {
        validator.validate(document);
      } finally {
        document.dispose();
      }
      return [];
    } catch (error) {
      const details: readonly { readonly line: number; readonly message: string }[] =
        error instanceof Error && 'details' in error && Array.isArray(error.details) ? error.details : [];
      return details.length === 0 ? [String(error)] : details.map((each) => `${each.line}: ${each.message.trim()}`);
    }
  };
}
