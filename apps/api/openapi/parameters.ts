// Parameters and request headers of the document.
import type { Json, JsonObject } from '#domain/json.ts';
import { componentRef } from '#domain/schema/json-schema.ts';
import { firstIdIn } from './examples.ts';
import { isRepeatable } from '../request/idempotency.ts';
import type { Parameter, ParameterType } from '../request/parameters.ts';
import { resolve } from '../request/parameters.ts';
import { pathNames } from '../route.ts';
import type { Method, Route } from '../route.ts';

type NamedParameter = readonly [name: string, parameter: Parameter<unknown>];

/** Parameters that are described as fields of a form: those of a multipart body, and those of routes that say so. */
export function formFields(route: Route, method: Method): readonly NamedParameter[] {
  const isForm = route.body?.form === 'multipart' || route.form === true;
  if (!isForm || method === 'GET') return [];
  const inPath = new Set(pathNames(route.path));
  return Object.entries(route.parameters).filter(([name]) => !inPath.has(name));
}

/** The name of a parameter as it is sent. */
export const wireName = ([name, { type }]: NamedParameter): string => (type.name === 'list' ? `${name}[]` : name);

/** The parameters of the path and the query. */
export function toParameters(route: Route, method: Method): readonly JsonObject[] {
  const inPath = new Set(pathNames(route.path));
  const inForm = new Set(formFields(route, method).map(([name]) => name));
  return Object.entries(route.parameters)
    .filter(([name]) => !inForm.has(name))
    .map((named) => toParameter(withExample(named, route), inPath.has(named[0])));
}

/** The parameter `id` of an address with the id of the first record of its kind; any other as it is. */
export const withExample = ([name, parameter]: NamedParameter, { path }: Route): NamedParameter =>
  name === 'id' && parameter.type.name === 'id' && parameter.example === undefined && path.includes(':id')
    ? [name, { ...parameter, example: firstIdIn(path) }]
    : [name, parameter];

function toParameter(named: NamedParameter, isInPath: boolean): JsonObject {
  const [, parameter] = named;
  const notes = noteOf(parameter);
  const example = exampleOf(named);
  return {
    name: isInPath ? named[0] : wireName(named),
    in: isInPath ? 'path' : 'query',
    required: isInPath || !parameter.optional,
    ...(notes === '' ? {} : { description: notes }),
    schema: fieldSchema(parameter),
    ...(example === undefined ? {} : { example }),
  };
}

/** What a parameter is, in words. */
export const noteOf = (parameter: Parameter<unknown>): string =>
  [parameter.doc, parameter.group === undefined ? undefined : 'One parameter of its kind is needed.']
    .filter((text) => text !== undefined)
    .join(' ');

/** The schema of a parameter's value, with its default. */
export function fieldSchema(parameter: Parameter<unknown>): JsonObject {
  const schema = typeSchema(parameter.type);
  // Defaults are texts, numbers, booleans and lists of them: values that parameters can have.
  return parameter.default === undefined ? schema : { ...schema, default: parameter.default as Json };
}

/**
 * The example of a parameter: its own, else, where the parameter is needed, the ids that the first repository and the first record of a kind have.
 */
export function exampleOf([, parameter]: NamedParameter): Json | undefined {
  // Examples are values of the parameter, as defaults are.
  if (parameter.example !== undefined) return parameter.example as Json;
  if (parameter.optional) return undefined;
  if (parameter.type.name === 'repository') return 2;
  return parameter.type.name === 'id' ? 1 : undefined;
}

function typeSchema(type: ParameterType): JsonObject {
  switch (type.name) {
    case 'integer':
      return { type: 'integer', minimum: type.minimum, ...(type.cut === true ? {} : { maximum: type.maximum }) };
    case 'id':
    case 'repository':
      return { type: 'integer', minimum: 1 };
    case 'boolean':
      return { type: 'boolean' };
    case 'list':
      return { type: 'array', items: typeSchema(type.of) };
    case 'id_set':
      return { type: 'string', pattern: String.raw`^\d+(,\d+)*$`, examples: ['1,2,3'] };
    case 'json':
      return { type: 'string', contentMediaType: 'application/json' };
    case 'record':
      return { type: 'string', contentMediaType: 'application/json', contentSchema: componentRef(type.schema) };
    default:
      return { type: 'string' };
  }
}

const header = (name: string, description: string): JsonObject => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
});

const waiting = '`respond-async`: 202 with the address of the job, without waiting for its end.';
const strictness =
  '`handling=strict`: properties, and names in `resolve[]`, that there are not are refused; `handling=lenient`: they are told.';

/** The header Prefer (RFC 7240), with what a route heeds of it. */
function preferenceOf({ replies, body, parameters }: Route): readonly JsonObject[] {
  const isPatch = body?.mediaType === 'application/merge-patch+json';
  const isTold = body?.form === 'record' || isPatch || parameters['resolve'] === resolve;
  const says = [...(replies[202] === undefined ? [] : [waiting]), ...(isTold ? [strictness] : [])];
  return says.length === 0 ? [] : [header('Prefer', says.join(' '))];
}

/** The request headers that a route heeds. */
export function headersOf(route: Route, method: Method): readonly JsonObject[] {
  const { header: needed } = route;
  return [
    ...(needed === undefined ? [] : [{ ...header(needed.name, needed.doc), required: true, example: needed.example }]),
    ...(route.etag === true && method === 'GET'
      ? [header('If-None-Match', 'An ETag: 304 without a body where the reply would be the same.')]
      : []),
    ...(route.ifMatch === true
      ? [header('If-Match', 'An ETag of the record: 412 where it has another version by now. Stands for lock_version.')]
      : []),
    ...preferenceOf(route),
    ...(isRepeatable(route, method) || route.idempotent === true
      ? [
          header(
            'Idempotency-Key',
            'Up to 200 characters: a repeated request with the same key within 24 hours gets the first answer and does nothing.',
          ),
        ]
      : []),
  ];
}
