// Validation of replies against the published schema of OAI-PMH and of oai_dc (test/support/schemas.ts says where they are). Formats
// whose schemas are not there are taken as they are.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Validator } from '#test/support/schemas.ts';
import { compileSchema } from '#test/support/schemas.ts';

const anything = (
  namespace: string,
  root: string,
): string => `<schema targetNamespace="${namespace}" xmlns="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified">
  <element name="${root}"><complexType><sequence><any minOccurs="0" maxOccurs="unbounded" processContents="skip"/></sequence></complexType></element></schema>`;

const imported: readonly (readonly [namespace: string, file: string])[] = [
  ['http://www.openarchives.org/OAI/2.0/', 'OAI-PMH.xsd'],
  ['http://www.openarchives.org/OAI/2.0/oai_dc/', 'oai_dc.xsd'],
  ['http://www.openarchives.org/OAI/2.0/oai_dcterms/', 'dcterms-root.xsd'],
  ['http://www.openarchives.org/OAI/2.0/oai-identifier', 'oai-identifier.xsd'],
];

/** Reads the schemas of replies from their folder. */
export function replyValidator(folder: string): Validator {
  const local = (name: string): Buffer =>
    Buffer.from(
      readFileSync(resolve(folder, name), 'utf8').replace(
        /schemaLocation="[^"]*?\/?(\w+\.xsd)"/g,
        'schemaLocation="memory:///$1"',
      ),
    );
  const all = `<schema xmlns="http://www.w3.org/2001/XMLSchema">${imported.map(([namespace, file]) => `<import namespace="${namespace}" schemaLocation="memory:///${file}"/>`).join('')}</schema>`;
  return compileSchema(all, {
    ...Object.fromEntries(
      ['OAI-PMH.xsd', 'oai_dc.xsd', 'simpledc20021212.xsd', 'xml.xsd'].map((name) => [name, local(name)]),
    ),
    'dcterms-root.xsd': Buffer.from(anything('http://www.openarchives.org/OAI/2.0/oai_dcterms/', 'dcterms')),
    'oai-identifier.xsd': Buffer.from(anything('http://www.openarchives.org/OAI/2.0/oai-identifier', 'oai-identifier')),
  });
}
