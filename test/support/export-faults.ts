// What is wrong with documents that go out, format by format: against the content models that the project declares itself, always; and against
// the published schema in addition, where the machine has it (test/support/schemas.ts says where that is).
import type { ContentModel } from './content-models/check.ts';
import { contentFaults } from './content-models/check.ts';
import { dcTerms, dublinCore, oaiDc, oaiDcTerms } from './content-models/dublin-core.ts';
import { ead2002 } from './content-models/ead-2002.ts';
import { ead3 } from './content-models/ead3.ts';
import { eacCpf } from './content-models/eac-cpf.ts';
import { eacCpf2 } from './content-models/eac-cpf-2.ts';
import { marc21 } from './content-models/marc21.ts';
import { mets } from './content-models/mets.ts';
import { mods } from './content-models/mods.ts';
import { oaiIdentifier, oaiPmh } from './content-models/oai-pmh.ts';
import type { Validator } from './schemas.ts';
import { schemaFolder, validatorOf } from './schemas.ts';

type Format = { readonly models: readonly [ContentModel, ...ContentModel[]]; readonly schema?: string };

const formats = {
  'EAD 2002': { models: [ead2002], schema: 'ead2002.xsd' },
  EAD3: { models: [ead3], schema: 'ead3.xsd' },
  'EAC-CPF 2010': { models: [eacCpf], schema: 'cpf.xsd' },
  'EAC-CPF 2.0': { models: [eacCpf2] },
  MARCXML: { models: [marc21], schema: 'MARC21slim.xsd' },
  MODS: { models: [mods], schema: 'mods.xsd' },
  METS: { models: [mets, mods, dublinCore], schema: 'mets.xsd' },
  'Dublin Core': { models: [dublinCore] },
  // Its schema is put together of several: test/contract/oai/schemas.ts.
  'OAI-PMH': {
    models: [oaiPmh, oaiIdentifier, oaiDc, dublinCore, oaiDcTerms, dcTerms, marc21, mods, ead2002, ead3],
  },
} satisfies { readonly [format: string]: Format };

/** A format that goes out. */
export type ExportFormat = keyof typeof formats;

const folder = schemaFolder();
const compiled = new Map<string, Validator>();

/** The validator of a published schema, compiled once; one that finds nothing where the schemas are not there. */
function published(schema: string | undefined): Validator {
  if (schema === undefined || folder === undefined) return () => [];
  const validator = compiled.get(schema) ?? validatorOf(folder, schema);
  compiled.set(schema, validator);
  return validator;
}

/** The faults of a document of a format, each with its line; none for a valid one. */
export function exportFaults(format: ExportFormat, xml: string): readonly string[] {
  return [...modelFaults(format, xml), ...published(schemaOf(format))(xml)];
}

/** The same by the project's own content model alone. */
export function modelFaults(format: ExportFormat, xml: string): readonly string[] {
  const [model, ...others] = formats[format].models;
  return contentFaults(xml, model, ...others);
}

function schemaOf(format: ExportFormat): string | undefined {
  const declared: Format = formats[format];
  return declared.schema;
}
