// Validation of replies against the published schema of OAI-PMH and of oai_dc, which are not in the repository: `shared/schemas/xsd`
// beside the project, or MUNIMENT_SCHEMAS. Formats whose schemas are not there are taken as they are.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { XmlBufferInputProvider, XmlDocument, XsdValidator, xmlCleanupInputProvider, xmlRegisterInputProvider } from 'libxml2-wasm';

/** The folder of the schemas, or undefined (with a warning that says so) where it is absent. */
export function schemaFolder(): string | undefined {
  const folder = process.env['MUNIMENT_SCHEMAS'] ?? resolve(import.meta.dirname, '../../../../shared/schemas/xsd');
  if (existsSync(resolve(folder, 'OAI-PMH.xsd'))) return folder;
  console.warn(`SKIPPED: no schemas at ${folder}; set MUNIMENT_SCHEMAS to the folder that holds OAI-PMH.xsd.`);
  return undefined;
}

const anything = (namespace: string, root: string): string => `<schema targetNamespace="${namespace}" xmlns="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified">
  <element name="${root}"><complexType><sequence><any minOccurs="0" maxOccurs="unbounded" processContents="skip"/></sequence></complexType></element></schema>`;

const imported: readonly (readonly [namespace: string, file: string])[] = [
  ['http://www.openarchives.org/OAI/2.0/', 'OAI-PMH.xsd'], ['http://www.openarchives.org/OAI/2.0/oai_dc/', 'oai_dc.xsd'], ['http://www.openarchives.org/OAI/2.0/oai_dcterms/', 'dcterms-root.xsd'], ['http://www.openarchives.org/OAI/2.0/oai-identifier', 'oai-identifier.xsd'],
];

/** Gives the faults of a reply; none for a valid one. */
export function replyValidator(folder: string): (xml: string) => readonly string[] {
  const local = (name: string): Buffer => Buffer.from(readFileSync(resolve(folder, name), 'utf8').replace(/schemaLocation="[^"]*?\/?(\w+\.xsd)"/g, 'schemaLocation="memory:///$1"'));
  xmlCleanupInputProvider();
  xmlRegisterInputProvider(new XmlBufferInputProvider({
    ...Object.fromEntries(['OAI-PMH.xsd', 'oai_dc.xsd', 'simpledc20021212.xsd', 'xml.xsd'].map((name) => [`memory:///${name}`, local(name)])),
    'memory:///dcterms-root.xsd': Buffer.from(anything('http://www.openarchives.org/OAI/2.0/oai_dcterms/', 'dcterms')),
    'memory:///oai-identifier.xsd': Buffer.from(anything('http://www.openarchives.org/OAI/2.0/oai-identifier', 'oai-identifier')),
  }));
  const all = `<schema xmlns="http://www.w3.org/2001/XMLSchema">${imported.map(([namespace, file]) => `<import namespace="${namespace}" schemaLocation="memory:///${file}"/>`).join('')}</schema>`;
  const validator = XsdValidator.fromDoc(XmlDocument.fromString(all));
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
      const details: readonly { readonly message: string }[] = error instanceof Error && 'details' in error && Array.isArray(error.details) ? error.details : [];
      return details.length === 0 ? [String(error)] : details.map((each) => each.message.trim());
    }
  };
}
