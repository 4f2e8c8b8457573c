// The replies of an operation: those that its route declares, and the failures that follow from the declaration.
import type { Json, JsonObject } from '#domain/json.ts';
import { failureContent, failureRef } from './failures.ts';
import { isRepeatable } from '../request/idempotency.ts';
import { pathNames } from '../route.ts';
import type { FailureDoc, Method, ReplyDoc, Route } from '../route.ts';

/** The replies of a route to a method, by status; `default` is what any request may meet. */
export function toReplies(route: Route, method: Method): JsonObject {
  const isKeyed = route.idempotent === true || isRepeatable(route, method);
  const isGiven = Object.keys(route.parameters).length > 0 || route.body !== undefined;
  const implied: { readonly [status: string]: JsonObject | false } = {
    304: route.etag === true && { description: 'Not changed since the tag of If-None-Match.' },
    400: isGiven && failureRef('BadRequest'),
    403: route.access !== 'public' && failureRef('AccessDenied'),
    404: pathNames(route.path).includes('id') && failureRef('NotFound'),
    409: isKeyed && failureRef('KeyBusy'),
    412: failureRef(route.ifMatch === true ? 'PreconditionFailed' : 'SessionGone'),
    413: route.body !== undefined && failureRef('TooLarge'),
    422: isKeyed && failureRef('KeyReused'),
  };
  return {
    ...Object.fromEntries(Object.entries(implied).filter(([, reply]) => reply !== false)),
    ...Object.fromEntries(
      Object.entries(route.replies).map(([status, doc]) => [status, toReply(Number(status), doc, route)]),
    ),
    default: failureRef('OtherFailure'),
  };
}

function toReply(status: number, doc: ReplyDoc | FailureDoc, route: Route): JsonObject {
  if (typeof doc === 'string') return { description: doc, content: failureContent };
  if ('location' in doc) return { description: doc.says, headers: headers({ Location: 'Where it is.' }) };
  if (!('contentType' in doc) && status >= 400)
    return { description: doc.says, content: { 'application/json': { schema: doc.shape.schema } } };
  const told = {
    ...(route.etag === true && status === 200 ? { ETag: 'Changes with everything in the reply.' } : {}),
    ...('headers' in doc ? doc.headers : {}),
  };
  return {
    description: doc.says,
    ...(Object.keys(told).length === 0 ? {} : { headers: headers(told) }),
    content: contentOf(doc),
  };
}

function contentOf(doc: Exclude<ReplyDoc, { readonly location: true }>): JsonObject {
  if ('contentType' in doc) return { [doc.contentType]: mediaOf(textSchema(doc.contentType), doc.example) };
  return {
    'application/json': mediaOf(doc.shape.schema, doc.example),
    ...(doc.also === undefined ? {} : { [doc.also]: mediaOf(textSchema(doc.also), undefined) }),
  };
}

const mediaOf = (schema: JsonObject, example: Json | undefined): JsonObject => ({
  schema,
  ...(example === undefined ? {} : { example }),
});

/** Text, or bytes for a media type that is none. */
const textSchema = (mediaType: string): JsonObject =>
  /^text\/|[/+]xml$|json/.test(mediaType) ? { type: 'string' } : { type: 'string', format: 'binary' };

const headers = (told: { readonly [name: string]: string }): JsonObject =>
  Object.fromEntries(
    Object.entries(told).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
