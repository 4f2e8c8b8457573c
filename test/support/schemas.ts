// Validation against the published XML schemas, which are not in the repository: `shared/schemas/xsd` beside the project, or
// MUNIMENT_SCHEMAS. Without them the tests that need them skip, and say so.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { XmlBufferInputProvider, XmlDocument, XsdValidator, xmlCleanupInputProvider, xmlRegisterInputProvider } from 'libxml2-wasm';

/** The folder of the schemas, or undefined (with a warning that says so) where it is absent. */
export function schemaFolder(): string | undefined {
  const folder = process.env['MUNIMENT_SCHEMAS'] ?? resolve(import.meta.dirname, '../../../shared/schemas/xsd');
  if (existsSync(resolve(folder, 'ead2002.xsd'))) return folder;
  console.warn(`SKIPPED: no schemas at ${folder}; set MUNIMENT_SCHEMAS to the folder that holds ead2002.xsd.`);
  return undefined;
}

/** Reads a schema and gives the faults of documents against it, each with its line; none for a valid document. */
export function validatorOf(folder: string, schema: string): (xml: string) => readonly string[] {
  const bytes = (name: string): Uint8Array => readFileSync(resolve(folder, name));
  // Schemas name each other by the addresses of their publishers.
  const local = Buffer.from(readFileSync(resolve(folder, schema), 'utf8').replace(/schemaLocation="[^"]*?\/?(xlink|xml)\.xsd"/g, 'schemaLocation="memory:///$1.xsd"'));
  xmlCleanupInputProvider();
  xmlRegisterInputProvider(new XmlBufferInputProvider({ 'memory:///xlink.xsd': bytes('xlink.xsd'), 'memory:///xml.xsd': bytes('xml.xsd') }));
  const validator = XsdValidator.fromDoc(XmlDocument.fromBuffer(local));
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
      const details: readonly { readonly line: number; readonly message: string }[] = error instanceof Error && 'details' in error && Array.isArray(error.details) ? error.details : [];
      return details.length === 0 ? [String(error)] : details.map((each) => `${each.line}: ${each.message.trim()}`);
    }
  };
}
