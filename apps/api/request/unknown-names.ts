// Names that there are not, in bodies of records and in resolve[]: passed over without a word as in the interface that is kept, told, or refused.
// The installation says which, and a request by Prefer: handling (RFC 7240 4.4).
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#domain/config.ts';
import { fail } from '#domain/errors.ts';
import type { Json } from '#domain/json.ts';
import { isObject, objectOf } from '#domain/json.ts';
import { recordSchemas } from '../openapi/record-schemas.ts';
import type { Parameters } from './parameters.ts';
import { resolve } from './parameters.ts';

/** What becomes of a name that there is not. */
export type UnknownHandling = Config['MUNIMENT_UNKNOWN_PROPERTIES'];

const preference = /(?:^|[,;])\s*handling\s*=\s*"?(strict|lenient)"?\s*(?=$|[,;])/i;

/** How a request wants unknown names handled; `prefer` is its header. */
export function unknownHandling(prefer: string | readonly string[] | undefined, config: Config): UnknownHandling {
  const asked = prefer === undefined ? undefined : preference.exec(String(prefer))?.[1]?.toLowerCase();
  if (asked === undefined) return config.MUNIMENT_UNKNOWN_PROPERTIES;
  return asked === 'strict' ? 'refuse' : 'warn';
}

type Names = { readonly bySchema: ReadonlyMap<string, ReadonlySet<string>>; readonly all: ReadonlySet<string> };

// A memo of what the declarations say, made when somebody first wants to be told.
let known: Names | undefined;

function namesShown(): Names {
  const schemas = recordSchemas();
  const all = new Set<string>();
  collect(schemas, all);
  const bySchema = new Map(
    Object.entries(schemas).map(([name, schema]) => [name, new Set(Object.keys(objectOf(schema, 'properties') ?? {}))]),
  );
  return { bySchema, all };
}

function collect(value: Json, names: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) collect(item, names);
  if (!isObject(value)) return;
  for (const name of Object.keys(objectOf(value, 'properties') ?? {})) names.add(name);
  for (const each of Object.values(value)) if (each !== undefined) collect(each, names);
}

/** Whether replies show a property in an object of a schema. */
export const isShown = (schema: string, property: string): boolean =>
  (known ??= namesShown()).bySchema.get(schema)?.has(property) === true;

/**
 * Looks for names in `resolve[]` that no record has a property of, each step of `a::b` too. Throws `bad_parameter` where they are refused; where
 * they are told, the reply, which is the record and nothing else, has them in a header `Warning`. Searches have another `resolve[]`.
 */
export function reportUnknownNames(
  parameters: Parameters,
  values: { readonly [name: string]: unknown },
  { headers }: FastifyRequest,
  reply: FastifyReply,
  config: Config,
): void {
  if (parameters['resolve'] !== resolve) return;
  const handling = unknownHandling(headers['prefer'], config);
  const { resolve: given } = values;
  if (handling === 'silent' || !Array.isArray(given) || given.length === 0) return;
  const { all } = (known ??= namesShown());
  const unknown = given
    .map(String)
    .filter((name) => name.split('::').some((step) => step !== '' && !all.has(step)))
    .slice(0, mostNames);
  if (unknown.length === 0) return;
  if (handling === 'refuse')
    throw fail('bad_parameter', { resolve: unknown.map((name) => `No record has a property ${name.slice(0, 100)}`) });
  const names = unknown.map((name) => encodeURIComponent(name.slice(0, 100))).join(', ');
  reply.header('warning', `299 - "resolve[]: no record has a property ${names}"`);
}

// Nobody reads more.
const mostNames = 20;
