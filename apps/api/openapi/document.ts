// The OpenAPI 3.1 document, made from the declarations of the routes: nothing about an endpoint is written twice.
import type { Config } from '#domain/config.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { errorTable } from '#domain/errors.ts';
import { curlExample } from './curl-example.ts';
import { productVersion } from './product.ts';
import { isRepeatable } from '../request/idempotency.ts';
import { pathNames } from '../route.ts';
import type { Method, ReplyDoc, Route } from '../route.ts';
import type { Parameter, ParameterType } from '../request/parameters.ts';

/** JSON Schemas of the records of the interface, by wire name. */
export type RecordSchemas = { readonly [name: string]: JsonObject };

type SettableObject = { [property: string]: Json | undefined };

/** The document. A schema that a route names and `schemas` lacks is described as any object. */
export function toOpenApi(routes: readonly Route[], config: Config, schemas: RecordSchemas = {}): JsonObject {
  const header = config.MUNIMENT_SESSION_HEADERS[0] ?? 'x-service-session';
  const paths: { [path: string]: SettableObject } = {};
  for (const route of routes) {
    const path = toOpenApiPath(route.path);
    const item = (paths[path] ??= {});
    for (const method of methodsOf(route)) item[method.toLowerCase()] = toOperation(route, method, header);
  }
  const named = Object.fromEntries(
    [...namedSchemas(routes)].map((name) => [name, schemas[name] ?? { type: 'object', title: name }]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Muniment',
      version: productVersion,
      description:
        'Archival records over HTTP. Log in with `POST /users/{username}/login`, then send the token of the reply in the header ' +
        `\`${header}\` with every request. Lists in queries are written \`name[]=a&name[]=b\`.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map((route) => route.area))].sort().map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'header', name: header, description: 'The session token of a login.' },
      },
      schemas: { ...named, Error: errorSchema, Problem: problemSchema },
      responses: sharedReplies,
    },
  };
}

// The methods of a route as a list.
function methodsOf(route: Route): readonly Method[] {
  return typeof route.method === 'string' ? [route.method] : route.method;
}

// Who may call a route, as a sentence.
function accessText(route: Route): string {
  const { access } = route;
  const where = Object.values(route.parameters).some(({ type }) => type.name === 'repository')
    ? ' in the repository'
    : '';
  if (access === 'public') return 'Open to everybody.';
  if (access === 'session') return 'Needs a session.';
  if ('check' in access) return access.says;
  const codes = 'all' in access ? access.all : access.any;
  const list = codes.map((code) => `\`${code}\``);
  if (list.length === 1) return `Needs the permission ${list[0]}${where}.`;
  return 'all' in access
    ? `Needs the permissions ${list.join(' and ')}${where}.`
    : `Needs one of the permissions ${list.join(', ')}${where}.`;
}

const toOpenApiPath = (path: string): string => path.replace(/:([a-z_]+)/g, '{$1}').replace(/\*$/, '{rest}');

function toOperation(route: Route, method: Method, header: string): JsonObject {
  const inPath = new Set(pathNames(route.path));
  const example = curlExample(route, method, header);
  const release =
    route.release === undefined ? [] : [`Part of release ${route.release} of the interface; served in both.`];
  const description = [route.doc, accessText(route), ...release, `\`\`\`sh\n${example}\n\`\`\``]
    .filter((text) => text !== undefined)
    .join('\n\n');
  return {
    tags: [route.area],
    operationId: `${method.toLowerCase()}${route.path.replace(/[^a-z_]+/gi, '_').replace(/_+$/, '')}`,
    summary: route.summary,
    description,
    ...(route.access === 'public' ? { security: [] } : { security: [{ session: [] }] }),
    parameters: [
      ...Object.entries(route.parameters).map(([name, parameter]) => toParameter(name, parameter, inPath.has(name))),
      ...headersOf(route, method),
    ],
    ...(route.body === undefined ? {} : { requestBody: toRequestBody(route) }),
    responses: toReplies(route),
    'x-codeSamples': [{ lang: 'Shell', source: example }],
  };
}

function toParameter(name: string, parameter: Parameter<unknown>, isInPath: boolean): JsonObject {
  const schema: SettableObject = { ...typeSchema(parameter.type) };
  // Defaults and examples are texts, numbers, booleans and lists of them: values that parameters can have.
  if (parameter.default !== undefined) schema['default'] = parameter.default as Json;
  if (parameter.example !== undefined) schema['example'] = parameter.example as Json;
  const notes = [
    parameter.doc,
    parameter.group === undefined ? undefined : 'One parameter of its kind is needed.',
  ].filter((text) => text !== undefined);
  return {
    name: parameter.type.name === 'list' ? `${name}[]` : name,
    in: isInPath ? 'path' : 'query',
    required: isInPath || !parameter.optional,
    ...(notes.length === 0 ? {} : { description: notes.join(' ') }),
    schema,
  };
}

/** The request headers that a route heeds. */
function headersOf(route: Route, method: Method): readonly JsonObject[] {
  const header = (name: string, description: string): JsonObject => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  });
  return [
    ...(route.etag === true && method === 'GET'
      ? [header('If-None-Match', 'An ETag: 304 without a body where the reply would be the same.')]
      : []),
    ...(route.ifMatch === true
      ? [header('If-Match', 'An ETag of the record: 412 where it has another version by now. Stands for lock_version.')]
      : []),
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
      return { type: 'string', contentMediaType: 'application/json', contentSchema: refTo(type.schema) };
    default:
      return { type: 'string' };
  }
}

const refTo = (schema: string): JsonObject => ({ $ref: `#/components/schemas/${schema}` });

function toRequestBody(route: Route): JsonObject {
  const { body } = route;
  const says = body?.doc === undefined ? {} : { description: body.doc };
  switch (body?.form) {
    case 'multipart':
      return { ...says, required: true, content: { 'multipart/form-data': { schema: { type: 'object' } } } };
    case 'stream':
      return { ...says, required: true, content: { 'application/octet-stream': {} } };
    case 'text':
      return {
        ...says,
        required: body.optional !== true,
        content: {
          [body.mediaType ?? 'text/plain']: {
            schema: body.mediaType === undefined ? { type: 'string' } : { type: 'object' },
          },
        },
      };
    case 'array':
      return { ...says, required: true, content: { 'application/json': { schema: { type: 'array' } } } };
    default:
      return {
        ...says,
        required: true,
        content: {
          [body?.mediaType ?? 'application/json']: { schema: body?.schema === undefined ? {} : refTo(body.schema) },
        },
      };
  }
}

function toReplies(route: Route): JsonObject {
  const replies: SettableObject = {};
  const shared = (status: number, name: string): void => {
    replies[String(status)] = { $ref: `#/components/responses/${name}` };
  };
  if (Object.keys(route.parameters).length > 0 || route.body !== undefined) shared(400, 'BadRequest');
  if (route.access !== 'public') shared(403, 'AccessDenied');
  if (pathNames(route.path).includes('id')) shared(404, 'NotFound');
  shared(412, 'SessionGone');
  if (route.body !== undefined) shared(413, 'TooLarge');
  if (route.etag === true) replies['304'] = { description: 'Not changed since the tag of If-None-Match.' };
  if (route.ifMatch === true) shared(412, 'PreconditionFailed');
  if (route.idempotent === true || [route.method].flat().some((method) => isRepeatable(route, method)))
    shared(422, 'KeyReused');
  for (const [status, doc] of Object.entries(route.replies))
    replies[status] = toReplyObject(Number(status), doc, route.etag === true && status === '200');
  return replies;
}

function toReplyObject(status: number, doc: ReplyDoc, isTagged: boolean): JsonObject {
  if (typeof doc === 'string') return { description: doc, ...(status >= 400 ? errorContent : {}) };
  const schema = doc.schema === undefined ? undefined : { schema: refTo(doc.schema) };
  const example = doc.example === undefined ? undefined : { example: doc.example };
  if (schema === undefined && example === undefined && doc.contentType === undefined) return { description: doc.says };
  const tag = isTagged
    ? { headers: { ETag: { description: 'Changes with everything in the reply.', schema: { type: 'string' } } } }
    : {};
  return {
    description: doc.says,
    ...tag,
    content: { [doc.contentType ?? 'application/json']: { ...schema, ...example } },
  };
}

function* schemasOf(route: Route): Generator<string> {
  if (route.body?.schema !== undefined) yield route.body.schema;
  for (const { type } of Object.values(route.parameters)) if (type.name === 'record') yield type.schema;
  for (const doc of Object.values(route.replies))
    if (typeof doc !== 'string' && doc.schema !== undefined) yield doc.schema;
}

const namedSchemas = (routes: readonly Route[]): ReadonlySet<string> =>
  new Set(routes.flatMap((route) => [...schemasOf(route)]).sort());

const errorSchema: JsonObject = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      description: 'A sentence, or messages by parameter or property.',
      oneOf: [{ type: 'string' }, { type: 'object' }, { type: 'array' }],
    },
    code: { type: 'string', enum: ['SESSION_GONE', 'SESSION_EXPIRED', 'PRECONDITION_FAILED'] },
    request_id: { type: 'string' },
  },
};

const problemSchema: JsonObject = {
  type: 'object',
  description:
    'RFC 9457, for clients that send Accept: application/problem+json. `code` is a heading of docs/errors.md, `classic` the body that others get.',
  required: ['type', 'title', 'status', 'detail', 'code', 'classic'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: Object.keys(errorTable) },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, messages: { type: 'array', items: { type: 'string' } } },
      },
    },
    request_id: { type: 'string' },
    classic: refTo('Error'),
  },
};

const errorContent: JsonObject = {
  content: { 'application/json': { schema: refTo('Error') }, 'application/problem+json': { schema: refTo('Problem') } },
};

const sharedReplies: JsonObject = {
  BadRequest: { description: 'Parameters or body were refused; `error` names each.', ...errorContent },
  AccessDenied: { description: 'No session, or one without the permission.', ...errorContent },
  NotFound: { description: 'No such record, or not visible here.', ...errorContent },
  PreconditionFailed: {
    description:
      'The session is gone (code SESSION_GONE), or the record has another version than If-Match names (code PRECONDITION_FAILED).',
    ...errorContent,
  },
  KeyReused: { description: 'The Idempotency-Key was sent before with another body.', ...errorContent },
  SessionGone: {
    description: 'The session token is unknown or has expired; drop it and log in again.',
    ...errorContent,
  },
  TooLarge: { description: 'The body is larger than the service takes.', ...errorContent },
};
