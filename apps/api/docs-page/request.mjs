// A request that was filled in, as the browser sends it and as a curl command.
/** @import { Body, FormField, Request } from './document.ts' */

/**
 * What fetch takes for a request.
 * @param {Request} request
 * @param {{ readonly [name: string]: string }} sessionHeaders
 * @returns {RequestInit}
 */
export function toFetch({ method, headers, body }, sessionHeaders) {
  const sent = new Headers([
    ...headers.map(([name, value]) => /** @type {[string, string]} */ ([name, value])),
    ...Object.entries(sessionHeaders),
  ]);
  // Of forms the browser states the type itself.
  if (body?.kind === 'text' || body?.kind === 'file') sent.set('content-type', body.mediaType);
  /** @type {RequestInit} */
  const init = { method, cache: 'no-store', headers: sent };
  return body === undefined ? init : { ...init, body: toPayload(body) };
}

/**
 * @param {Body} body
 * @returns {BodyInit}
 */
function toPayload(body) {
  if (body.kind === 'text') return body.text;
  if (body.kind === 'file') return body.file;
  if (body.kind === 'form') return new URLSearchParams(body.fields.map(({ name, value }) => [name, value]));
  const form = new FormData();
  for (const { name, value } of body.fields) form.append(name, value);
  for (const { name, file } of body.files) form.append(name, file, file.name);
  return form;
}

/**
 * The same request for a shell. The token and passwords stand in variables, so that the line can be shown to others.
 * @param {Request} request
 * @param {string} origin
 * @param {string} sessionHeader
 */
export function toCurl({ method, path, headers, needsSession, body }, origin, sessionHeader) {
  const lines = [`curl ${method === 'GET' ? '-g' : `-g -X ${method}`} ${quoted(`${origin}${path}`)}`];
  if (needsSession) lines.push(`-H "${sessionHeader}: $SESSION"`);
  for (const [name, value] of headers) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body !== undefined) lines.push(...bodyArguments(body));
  return lines.join(' \\\n  ');
}

/**
 * @param {Body} body
 * @returns {readonly string[]}
 */
function bodyArguments(body) {
  switch (body.kind) {
    case 'text':
      // As it is: --data and --data-binary take what begins with @ for the name of a file.
      return [`-H ${quoted(`Content-Type: ${body.mediaType}`)}`, `--data-raw ${quoted(body.text)}`];
    case 'file':
      return [`-H ${quoted(`Content-Type: ${body.mediaType}`)}`, `--data-binary ${quoted(`@${body.file.name}`)}`];
    case 'form':
      return body.fields.map((field) => `--data-urlencode ${pair(field)}`);
    case 'multipart':
      return [
        ...body.fields.map((field) => `--form-string ${pair(field)}`),
        ...body.files.map(({ name, file }) => `-F ${quoted(`${name}=@"${file.name.replace(/["\\]/g, '\\$&')}"`)}`),
      ];
  }
}

/** @param {FormField} field */
const pair = ({ name, value, secret }) => (secret ? `"${name}=$PASSWORD"` : quoted(`${name}=${value}`));

/**
 * A word of the shell, whatever is in it.
 * @param {string} text
 */
const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
