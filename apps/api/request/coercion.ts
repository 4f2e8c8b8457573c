// From what was sent to the values of call.params, exactly as the contract reads and refuses them (1.1-1.3, 4.2).
// All problems are collected, so that one 400 names them together.
import { fail } from '#domain/errors.ts';
import { largestInt4 } from '#domain/int4.ts';
import { toUsername } from '#domain/text/username.ts';
import { isObject } from '#domain/json.ts';
import type { Json } from '#domain/json.ts';
import { unknownRepository } from '#store/records/writing/home.ts';
import type { FormValue, FormValues } from './form.ts';
import { parseJson } from './json-text.ts';
import { maximumPageSize } from './pagination.ts';
import type { Parameter, Parameters, ParameterType } from './parameters.ts';
import type { Services } from '../services.ts';

/** Where values come from; path beats form beats query. */
export type Sources = {
  readonly path: { readonly [name: string]: string | undefined };
  readonly form: FormValues;
  readonly query: FormValues;
};

/** The values read, and the problems by parameter in the order declared; `repoId` is the id that a repository parameter named. */
export type Coerced = {
  readonly values: { readonly [name: string]: unknown };
  readonly problems: ReadonlyMap<string, readonly string[]>;
  readonly repoId: number | null;
};

type Outcome = { readonly value: unknown } | { readonly problem: string };

const missing = 'Parameter required but no value provided';

/** How the parameters of a route are read: what follows from their declaration alone, found once and not at every request. */
export type Reading = {
  readonly parameters: readonly (readonly [string, Parameter<unknown>])[];
  /** The names of each group of which one must be given. */
  readonly groups: readonly (readonly string[])[];
  readonly repositories: readonly string[];
  readonly records: readonly { readonly name: string; readonly schema: string }[];
};

/** Plans the reading of declared parameters. */
export function toReading(declared: Parameters): Reading {
  const parameters = Object.entries(declared);
  const groups = Map.groupBy(
    parameters.filter(([, { group }]) => group !== undefined),
    ([, { group }]) => group,
  );
  return {
    parameters,
    groups: [...groups.values()].map((members) => members.map(([name]) => name)),
    repositories: parameters.filter(([, { type }]) => type.name === 'repository').map(([name]) => name),
    records: parameters.flatMap(([name, { type }]) => (type.name === 'record' ? [{ name, schema: type.schema }] : [])),
  };
}

/** Reads every declared parameter. Throws at once for a user name that is none and for JSON text that is broken. */
export async function coerceParameters(reading: Reading, sources: Sources, services: Services): Promise<Coerced> {
  const values: { [name: string]: unknown } = {};
  const problems = new Map<string, readonly string[]>();
  for (const [name, parameter] of reading.parameters) {
    const isNeeded =
      !parameter.optional || (parameter.unless !== undefined && sentValue(parameter.unless, sources) === undefined);
    const outcome = coerceOne(name, parameter, sentValue(name, sources), isNeeded);
    if ('problem' in outcome) problems.set(name, [outcome.problem]);
    else values[name] = outcome.value;
  }
  reportMissingGroups(reading.groups, values, problems);
  const repoId = repositoryIn(reading.repositories, values);
  if (repoId !== null && !(await services.repositoryExists(repoId))) {
    for (const name of reading.repositories) problems.set(name, [unknownRepository]);
  }
  for (const { name, schema } of reading.records) {
    const value = values[name];
    if (isObject(value)) values[name] = await services.checkRecord(schema, value, { repoId, operation: 'create' });
  }
  return { values, problems, repoId };
}

/** The id that a repository parameter named: of several the last. */
function repositoryIn(names: readonly string[], values: Coerced['values']): number | null {
  const named = names.findLast((name) => typeof values[name] === 'number');
  const id = named === undefined ? null : values[named];
  return typeof id === 'number' ? id : null;
}

/** The failure that names every problem (contract 1.3). Of a group, each of which is reported missing, its hint says that one is enough. */
export function toParameterFailure({ groups }: Reading, problems: Coerced['problems']): Error {
  const failure = fail('bad_parameter', Object.fromEntries(problems));
  const group = groups.find((names) => names.length > 1 && names.every((name) => problems.get(name)?.[0] === missing));
  return group === undefined ? failure : failure.hinted(`Give one of ${group.join(', ')}.`);
}

function sentValue(name: string, sources: Sources): FormValue | undefined {
  const inPath = sources.path[name];
  if (inPath !== undefined) return { scalar: inPath, list: undefined };
  return sources.form.get(name) ?? sources.query.get(name);
}

function coerceOne(
  name: string,
  parameter: Parameter<unknown>,
  sent: FormValue | undefined,
  isNeeded: boolean,
): Outcome {
  const { type } = parameter;
  if (sent === undefined || (parameter.blank === 'absent' && sent.scalar === '')) {
    if (parameter.default !== undefined) return { value: parameter.default };
    return isNeeded ? { problem: missing } : { value: null };
  }
  const outcome = coerceValue(name, type, sent);
  if ('problem' in outcome || parameter.check === undefined) return outcome;
  const broken = parameter.check(outcome.value);
  return broken === null ? outcome : { problem: `Failed validation -- ${broken}` };
}

function coerceValue(name: string, type: ParameterType, sent: FormValue): Outcome {
  if (type.name === 'list') return coerceList(name, type.of, sent);
  if (type.name === 'id_set') return coerceIdSet(sent);
  if (type.name === 'any') return { value: sent.scalar ?? sent.list?.join(',') ?? '' };
  if (sent.scalar === undefined)
    return type.name === 'repository' ? { problem: unknownRepository } : wanted(type, inspect(sent.list ?? []));
  return coerceScalar(type, sent.scalar);
}

function coerceList(name: string, of: ParameterType, sent: FormValue): Outcome {
  if (sent.list === undefined) {
    const scalar = sent.scalar ?? '';
    const complaint = `Wanted type [${wireName(of)}] but got '${clip(scalar)}'`;
    if ('problem' in coerceScalar(of, scalar)) return { problem: complaint };
    return { problem: `${complaint}.  Perhaps you meant to specify an array like: ${name}[]=${clip(scalar)}` };
  }
  const items: unknown[] = [];
  for (const text of sent.list) {
    const item = coerceScalar(of, text);
    if ('problem' in item) return { problem: `Wanted type [${wireName(of)}] but got '${inspect(sent.list)}'` };
    items.push(item.value);
  }
  return { value: items };
}

function coerceScalar(type: ParameterType, text: string): Outcome {
  switch (type.name) {
    case 'text':
    case 'any':
      // PostgreSQL cannot hold U+0000 in a text; nothing that clients look for has it.
      return text.includes('\0')
        ? { problem: 'Failed validation -- must not contain the character U+0000' }
        : { value: text.toWellFormed() };
    case 'boolean': {
      const lower = text.toLowerCase();
      return lower === 'true' || lower === 'false' ? { value: lower === 'true' } : wanted(type, text);
    }
    case 'integer':
      return coerceInteger(type, text);
    case 'id':
    case 'repository':
      return coerceId(type, text);
    case 'username':
      return { value: parseUsername(text) };
    case 'json':
    case 'record': {
      const value = parseJson(text);
      if (!isObject(value))
        throw fail('malformed_body', 'Had some trouble parsing your request: expected a JSON object');
      return { value };
    }
    default:
      return wanted(type, text);
  }
}

function coerceInteger(type: Extract<ParameterType, { readonly name: 'integer' }>, text: string): Outcome {
  const number = parseInteger(text);
  if (number === null || number < type.minimum) return wanted(type, text);
  if (number > type.maximum) return type.cut === true ? { value: type.maximum } : wanted(type, text);
  return { value: number };
}

/** The id of a record, 0 where no record can have it; or of a repository, which must be possible. */
function coerceId(type: ParameterType, text: string): Outcome {
  const number = parseInteger(text);
  const isPossible = number !== null && number > 0 && number <= largestInt4;
  if (type.name === 'repository') return isPossible ? { value: number } : { problem: unknownRepository };
  return number === null ? wanted(type, text) : { value: isPossible ? number : 0 };
}

function coerceIdSet(sent: FormValue): Outcome {
  const type = { name: 'id_set' } as const;
  // Clients join what they have: that may be nothing, or end with a comma.
  const texts = sent.list ?? (sent.scalar ?? '').split(',').filter((text) => text !== '');
  const shown = sent.list === undefined ? (sent.scalar ?? '') : inspect(sent.list);
  const ids = new Set<number>();
  for (const text of texts) {
    const number = parseInteger(text);
    if (number === null || number < 0) return wanted(type, shown);
    ids.add(number);
  }
  if (ids.size > maximumPageSize)
    return { problem: `At most ${maximumPageSize} ids can be asked for at once, not ${ids.size}` };
  // An id that no record can have is like any missing one: silently absent.
  return { value: [...ids].filter((id) => id <= largestInt4) };
}

const plainDigits = /^\d{1,15}$/;

/**
 * Reads an integer as the contract does: optional sign, decimal digits, single `_` between digits, the prefixes 0x, 0o
 * and 0b, blanks around. Null where the text is none or beyond 2^53.
 */
function parseInteger(text: string): number | null {
  // What nearly every client sends.
  if (plainDigits.test(text)) return Number(text);
  const match =
    /^\s*([+-]?)(0x[0-9a-f]+(?:_[0-9a-f]+)*|0o[0-7]+(?:_[0-7]+)*|0b[01]+(?:_[01]+)*|\d+(?:_\d+)*)\s*$/i.exec(
      text.length > 100 ? '' : text,
    );
  const digits = match?.[2];
  if (digits === undefined) return null;
  const number = Number(digits.replaceAll('_', '')) * (match?.[1] === '-' ? -1 : 1);
  return Number.isSafeInteger(number) ? number + 0 : null;
}

function parseUsername(text: string): string {
  const name = toUsername(text);
  if (name === null) throw fail('bad_parameter', 'Invalid username');
  return name;
}

function reportMissingGroups(
  groups: Reading['groups'],
  values: Coerced['values'],
  problems: Map<string, readonly string[]>,
): void {
  for (const names of groups) {
    if (names.some((name) => problems.has(name) || values[name] !== null)) continue;
    for (const name of names) problems.set(name, [missing]);
  }
}

function wanted(type: ParameterType, text: string): Outcome {
  return { problem: `Wanted type ${wireName(type)} but got '${clip(text)}'` };
}

// The names that the contract prints (1.3); the reference's own boolean class is part of the wire.
function wireName(type: ParameterType): string {
  switch (type.name) {
    case 'boolean':
      return 'RESTHelpers::BooleanParam';
    case 'id_set':
      return '[Integer]';
    case 'list':
      return `[${wireName(type.of)}]`;
    case 'integer':
    case 'id':
    case 'repository':
      return 'Integer';
    default:
      return 'String';
  }
}

const inspect = (list: readonly Json[]): string => clip(`[${list.map((item) => JSON.stringify(item)).join(', ')}]`);

// What a client sent may be 64 KiB long; a message needs its beginning.
const clip = (text: string): string => (text.length > 1000 ? `${text.slice(0, 1000)}…` : text);
