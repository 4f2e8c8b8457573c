// The content of a request, read as its route declares it: a form whose fields are parameters, or a body (contract 1.1).
import { Readable } from 'node:stream';
import { isObject } from '#domain/json.ts';
import type { Route } from '../route.ts';
import type { Services } from '../services.ts';
import type { Body } from './body.ts';
import { countedStream, decodeBody, drain } from './bytes.ts';
import { formOf, parseForm } from './form.ts';
import { formType, isRead, mediaTypeOf } from './incoming.ts';
import type { Incoming } from './incoming.ts';
import { parseJson, trouble } from './json-text.ts';
import { unknownHandling } from './unknown-names.ts';
import { readMultipart } from './uploads.ts';
import type { Multipart } from './uploads.ts';

/** A body as the handler gets it, and its text where it is one: the digest of an Idempotency-Key is made of that. */
export type ReadBody = { readonly value: unknown; readonly text: string };

/** The form of a request that has none. */
export const noForm: Multipart = { fields: new Map(), files: [], remove: async () => undefined };

/** The body of a request that has none, or whose body is not read yet. */
export const noBody: ReadBody = { value: undefined, text: '' };

/** The form of a request: the fields and files of a multipart body, or the fields of a URL-encoded one, or of JSON where the route takes that, where the route declares no body. */
export async function readForm(route: Route, incoming: Incoming): Promise<Multipart> {
  const { request } = incoming;
  const mediaType = mediaTypeOf(request);
  if (isRead(request) && mediaType !== formType) return noForm;
  const isMultipart = mediaType === 'multipart/form-data';
  if (isMultipart && (route.body === undefined || route.body.form === 'multipart'))
    return readMultipart(incoming, route.body !== undefined);
  const isForm =
    mediaType === '' || mediaType === formType || (route.jsonForm === true && jsonTypes.includes(mediaType));
  if (!isForm || route.body !== undefined) return noForm;
  const text = decodeBody(await incoming.bytes(), request.sentContentType);
  // Clients send JSON as any of these types.
  if (route.jsonForm !== true || !text.trimStart().startsWith('{')) return { ...noForm, fields: parseForm(text) };
  const value = parseJson(text);
  return { ...noForm, fields: isObject(value) ? formOf(value) : new Map() };
}

const jsonTypes: readonly string[] = ['application/json', 'text/json'];

/** The declared body of a request; a record is checked. Throws `malformed_body`, `too_large` and what the check finds. */
export async function readBody(
  declared: Body<unknown> | undefined,
  incoming: Incoming,
  form: Multipart,
  repoId: number | null,
  services: Services,
): Promise<ReadBody> {
  const { request, limits } = incoming;
  if (declared === undefined) return noBody;
  if (declared.form === 'multipart') return { value: form.files, text: '' };
  if (declared.form === 'stream') return { value: countedStream(request.raw, limits), text: '' };
  const text = decodeBody(await incoming.bytes(), request.sentContentType);
  if (declared.form === 'text') return { value: text, text };
  const value = parseJson(text);
  if (declared.form === 'any') return { value, text };
  if (declared.form === 'array') {
    if (!Array.isArray(value)) throw trouble('expected a JSON array');
    return { value, text };
  }
  if (!isObject(value)) throw trouble('expected a JSON object');
  if (declared.form === 'object' || declared.schema === undefined) return { value, text };
  const record = await services.checkRecord(declared.schema, value, {
    repoId,
    userId: request.caller.userId,
    operation: declared.operation ?? 'create',
    unknown: unknownHandling(request.headers['prefer'], services.config),
  });
  return { value: record, text };
}

/** Lets go of what was read: uploaded files are removed, and what was not read of the body is passed over. */
export function discardContent({ request, limits, held }: Incoming, form: Multipart, body: ReadBody): void {
  held.release();
  if (body.value instanceof Readable) body.value.destroy();
  drain(request.raw, limits);
  // A failure to remove uploads is the operator's to see, not the client's.
  if (form.files.length > 0)
    form.remove().catch((error: unknown) => request.log.error({ event: 'upload_not_removed', err: error }));
}
