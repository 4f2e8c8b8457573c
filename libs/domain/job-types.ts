// The job types of the wire: who may make and cancel them, which parameters they take, and the import formats on offer
// (contract trees-and-jobs 3.4, 3.5). A type is on offer once a declaration of libs/domain/jobs carries it as `wireName`.
import { z } from 'zod';
import type { Json, JsonObject } from './json.ts';
import { textOf } from './json.ts';
import { kinds } from './kinds/index.ts';
import { subrecords } from './subrecords/index.ts';

type ParameterType = 'text' | 'boolean' | 'texts';

/** A parameter of a job type; required ones are refused when absent, and when empty unless that says something. */
export type JobParameter = {
  readonly type: ParameterType;
  readonly required?: true;
  readonly mayBeEmpty?: true;
  readonly default?: Json;
};

/** A job type of the wire. Permissions are asked on top of create_job and cancel_job. */
export type JobType = {
  readonly create: readonly string[];
  readonly cancel: readonly string[];
  /** Hidden types are left out of GET /job_types and may be made all the same. */
  readonly hidden?: true;
  readonly parameters: { readonly [name: string]: JobParameter };
  /** What is wrong between parameters that are right by themselves; by parameter (contract records 1.6). */
  readonly rule?: (job: JsonObject) => { readonly [parameter: string]: readonly string[] };
};

const needed: JobParameter = { type: 'text', required: true };
const text: JobParameter = { type: 'text' };
const flag: JobParameter = { type: 'boolean' };
const spreadsheet = { resource_id: needed, filename: needed, content_type: needed, only_validate: text };

/** The types by name (`jsonmodel_type` of the `job` object). */
export const jobTypes: { readonly [name: string]: JobType } = {
  bulk_archival_object_updater_job: {
    create: ['update_resource_record'],
    cancel: [],
    parameters: { create_missing_top_containers: flag, dry_run: flag },
  },
  bulk_import_job: {
    create: ['import_records'],
    cancel: ['cancel_importer_job'],
    parameters: { ...spreadsheet, load_type: needed, format: needed },
  },
  container_labels_job: {
    create: [],
    cancel: [],
    parameters: { format: { type: 'text', default: 'tsv' }, source: needed },
  },
  find_and_replace_job: {
    create: ['manage_repository'],
    cancel: ['manage_repository'],
    // To replace by nothing is to take the text out.
    parameters: {
      find: needed,
      replace: { ...needed, mayBeEmpty: true },
      record_type: needed,
      property: needed,
      base_record_uri: needed,
    },
    rule: propertyOfType,
  },
  generate_arks_job: { create: ['administer_system'], cancel: ['administer_system'], parameters: {} },
  generate_slugs_job: { create: ['administer_system'], cancel: ['administer_system'], parameters: {} },
  import_job: {
    create: ['import_records'],
    cancel: ['cancel_importer_job'],
    parameters: {
      filenames: { type: 'texts', required: true },
      import_type: needed,
      import_events: text,
      import_subjects: text,
      import_repository: text,
      only_validate: text,
    },
  },
  ns2_remover_job: {
    create: ['administer_system'],
    cancel: ['administer_system'],
    parameters: { dry_run: { type: 'boolean', default: false } },
  },
  print_to_pdf_job: { create: [], cancel: [], parameters: { source: needed, include_unpublished: flag } },
  report_job: { create: [], cancel: [], parameters: { report_type: needed, format: needed } },
  resource_duplicate_job: { create: [], cancel: [], hidden: true, parameters: { source: needed } },
  // Ours, and hidden: /job_types lists what the contract lists.
  sort_children_job: {
    create: [],
    cancel: [],
    hidden: true,
    parameters: { parent: needed, sort_by: { type: 'texts', required: true }, dry_run: flag },
  },
  top_container_linker_job: { create: [], cancel: [], hidden: true, parameters: { ...spreadsheet, load_type: text } },
  trim_whitespace_job: { create: [], cancel: [], parameters: {} },
};

/** Import formats (`import_type` of an import_job) and what they say of themselves. */
export const importTypes: readonly { readonly name: string; readonly description: string }[] = [
  { name: 'accession_csv', description: 'Import Accession records from a CSV file' },
  { name: 'assessment_csv', description: 'Import Assessment records from a CSV file' },
  { name: 'digital_object_csv', description: 'Import Digital Object records from a CSV file' },
  { name: 'eac_xml', description: 'Import EAC-CPF records from an XML file' },
  { name: 'ead_xml', description: 'Import EAD records from an XML file' },
  { name: 'location_csv', description: 'Import Location records from a CSV file' },
  { name: 'marcxml_auth_agent', description: 'Import agent records from a MARCXML authority file' },
  { name: 'marcxml_accession', description: 'Import MARC XML records as Accessions' },
  { name: 'marcxml', description: 'Import all record types from a MARC XML file' },
  { name: 'marcxml_subjects_and_agents', description: 'Import only subjects and agents from a MARC XML file' },
  { name: 'subject_csv', description: 'Import Subject records from a CSV file' },
];

/** The payload of every job that clients make; a declaration with a `wireName` takes this. Its files are those of the job. */
export const WireJobPayload = z.object({
  repoId: z.int(),
  actor: z.string().nullable(),
  /** The typed object, checked, with its defaults. */
  job: z.record(z.string(), z.json()),
  /** What `job_params` says: an object of parameters, empty where there is none or it cannot be read (contract 3.6, report_job). */
  params: z.record(z.string(), z.json()),
});

/** The payload of a job that a client made. */
export type WireJobPayload = z.output<typeof WireJobPayload>;

/**
 * Checks the typed object of a job: required parameters and types; unknown properties are dropped and defaults added. Gives the
 * object, or the problems by parameter name (contract 3.3: no `job/` prefix).
 */
export function checkJobObject(
  name: string,
  type: JobType,
  given: JsonObject,
): { readonly job: JsonObject } | { readonly problems: { readonly [parameter: string]: readonly string[] } } {
  const problems: { [parameter: string]: readonly string[] } = {};
  const job: { [parameter: string]: Json } = { jsonmodel_type: name };
  for (const [parameter, declared] of Object.entries(type.parameters)) {
    const value = given[parameter] ?? declared.default ?? null;
    if (
      value === null ||
      (value === '' && declared.mayBeEmpty !== true) ||
      (declared.required === true && Array.isArray(value) && value.length === 0)
    ) {
      if (declared.required === true)
        problems[parameter] = [
          value === null || value === '' ? 'Property is required but was missing' : 'At least 1 item(s) is required',
        ];
      continue;
    }
    const wrong =
      declared.type === 'texts' && Array.isArray(value) ? value.findIndex((item) => typeof item !== 'string') : -1;
    if (wrong >= 0 && Array.isArray(value))
      problems[`${parameter}/${wrong}`] = [`Must be a string (you provided a ${wireTypeOf(value[wrong] ?? null)})`];
    else if (hasType(value, declared.type)) job[parameter] = value;
    else problems[parameter] = [`Must be a ${typeNames[declared.type]} (you provided a ${wireTypeOf(value)})`];
  }
  const found = Object.keys(problems).length > 0 ? problems : (type.rule?.(job) ?? {});
  return Object.keys(found).length > 0 ? { problems: found } : { job };
}

/** The property to search must be one of the record type; the job itself sees whether it is a text that may be changed. */
function propertyOfType(job: JsonObject): { readonly [parameter: string]: readonly string[] } {
  const [type, property] = [textOf(job, 'record_type') ?? '', textOf(job, 'property') ?? ''];
  const schema = kinds.get(type)?.schema ?? subrecords.get(type);
  if (schema === undefined) return { record_type: ['Is no record type'] };
  return Object.hasOwn(schema.properties, property)
    ? {}
    : { property: [`JSONModel(:${type}) does not have a property named '${property}'`] };
}

const typeNames: Record<ParameterType, string> = { text: 'string', boolean: 'boolean', texts: 'array' };

function hasType(value: Json, type: ParameterType): boolean {
  if (type === 'text') return typeof value === 'string';
  if (type === 'boolean') return typeof value === 'boolean';
  return Array.isArray(value);
}

/** The type of a value in the words of a refused job. */
export function wireTypeOf(value: Json): string {
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Reads `job_params`: JSON text of an object, or JSON text of such a text; anything else is no parameters. */
export function parseJobParams(text: string | undefined): JsonObject {
  let value: unknown = text;
  for (let depth = 0; depth < 2 && typeof value === 'string'; depth++) {
    try {
      value = JSON.parse(value);
    } catch {
      return {}; // The contract's runners take unreadable parameters for none.
    }
  }
  // JSON.parse made it, so what is an object is a JsonObject.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
