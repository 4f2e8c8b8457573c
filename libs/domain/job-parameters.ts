// The parameters of jobs that clients make: how a declaration names them, and how those of a request are checked
// (contract trees-and-jobs 3.3, 3.4).
import type { Json, JsonObject } from './json.ts';
import { classOf, wrongType } from './checking/wording.ts';
import { textOf } from './json.ts';

type ParameterType = 'text' | 'boolean' | 'texts';

/** A parameter of a job type; required ones are refused when absent, and when empty unless that says something. */
export type JobParameter = {
  readonly type: ParameterType;
  readonly required?: true;
  readonly mayBeEmpty?: true;
  readonly default?: Json;
};

/** Parameters by name. */
export type JobParameters = { readonly [name: string]: JobParameter };

/** A text that must be there. */
export const needed: JobParameter = { type: 'text', required: true };

/** A text that may be there. */
export const text: JobParameter = { type: 'text' };

/** Yes or no. */
export const flag: JobParameter = { type: 'boolean' };

/** What every job that reads an uploaded spreadsheet about a resource takes. */
export const spreadsheet: JobParameters = {
  resource_id: needed,
  filename: needed,
  content_type: needed,
  only_validate: text,
};

/** Whether a job is only to look, however its client spells yes: who asked for that must not find records (contract clients.md: `true`, `True`). */
export const isOnlyValidated = (job: JsonObject): boolean =>
  ['1', 't', 'true'].includes((textOf(job, 'only_validate') ?? '').trim().toLowerCase());

/** What is wrong, by parameter. */
export type JobProblems = { readonly [parameter: string]: readonly string[] };

/** What a job type says of its object: the parts of JobWire (job.ts) that are looked at here. */
type Declared = {
  readonly name: string;
  readonly parameters: JobParameters;
  readonly rule?: (job: JsonObject) => JobProblems | null;
};

/**
 * Checks the typed object of a job: required parameters and types; unknown properties are dropped and defaults added. Gives the
 * object, or the problems by parameter name (contract 3.3: no `job/` prefix).
 */
export function checkJobObject(
  { name, parameters, rule }: Declared,
  given: JsonObject,
): { readonly job: JsonObject } | { readonly problems: JobProblems } {
  let problems: JobProblems = {};
  const job: { [parameter: string]: Json } = { jsonmodel_type: name };
  for (const [parameter, declared] of Object.entries(parameters)) {
    const value = given[parameter] ?? declared.default ?? null;
    const found = isMissing(value, declared)
      ? problemOfMissing(parameter, value, declared)
      : problemOfType(parameter, value, declared);
    problems = { ...problems, ...found };
    if (!isMissing(value, declared) && Object.keys(found).length === 0) job[parameter] = value;
  }
  const found = Object.keys(problems).length > 0 ? problems : (rule?.(job) ?? {});
  return Object.keys(found).length > 0 ? { problems: found } : { job };
}

/** Whether nothing is given: also an empty text, and an empty list where there must be something. */
function isMissing(value: Json, { required, mayBeEmpty }: JobParameter): boolean {
  if (Array.isArray(value)) return required === true && value.length === 0;
  return value === null || (value === '' && mayBeEmpty !== true);
}

function problemOfMissing(parameter: string, value: Json, { required }: JobParameter): JobProblems {
  if (required !== true) return {};
  return {
    [parameter]: [Array.isArray(value) ? 'At least 1 item(s) is required' : 'Property is required but was missing'],
  };
}

function problemOfType(parameter: string, value: Json, { type }: JobParameter): JobProblems {
  const wrong = type === 'texts' && Array.isArray(value) ? value.findIndex((item) => typeof item !== 'string') : -1;
  if (wrong >= 0 && Array.isArray(value))
    return { [`${parameter}/${wrong}`]: [wrongType(['string'], classOf(value[wrong]))] };
  return hasType(value, type) ? {} : { [parameter]: [wrongType([typeNames[type]], classOf(value))] };
}

const typeNames: Record<ParameterType, string> = { text: 'string', boolean: 'boolean', texts: 'array' };

function hasType(value: Json, type: ParameterType): boolean {
  if (type === 'text') return typeof value === 'string';
  if (type === 'boolean') return typeof value === 'boolean';
  return Array.isArray(value);
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
