// One operation: what it does, a form to send it, what came back, and which replies are described.
import { makeBodyFields } from './body-fields.mjs';
import { button, disclosure, element, inline, isFocusLost, prose } from './elements.mjs';
import { makeField } from './fields.mjs';
import { showReply } from './reply.mjs';
import { toCurl, toFetch } from './request.mjs';
import { schemaView } from './schema-view.mjs';
import { sessionGone, sessionHeader, sessionHeaders } from './session.mjs';
/** @import { Entry, Operation, Request, Response, Schema, Section } from './document.ts' */

/**
 * The content of an operation that was opened.
 * @param {Entry} entry
 * @param {Section} section
 * @returns {readonly HTMLElement[]}
 */
export function operationView(entry, section) {
  const operation = section.paths[entry.path]?.[entry.method.toLowerCase()];
  if (operation === undefined) return [element('p', { class: 'fault' }, 'The service does not describe it any more.')];
  return [...prose(operation.description), tryForm(entry, operation), ...described(operation, section)];
}

/**
 * @param {Entry} entry
 * @param {Operation} operation
 */
function tryForm(entry, operation) {
  const { id } = entry;
  const fields = operation.parameters.map((parameter) => makeField(id, parameter));
  const body = makeBodyFields(operation);
  const request = () => toRequest(entry, operation, fields, body?.body());
  const curl = element('code');
  const tellCurl = () => void (curl.textContent = toCurl(request(), location.origin, sessionHeader()));
  const reply = element('div', { class: 'reply', role: 'region', 'aria-label': `Reply of ${id}`, tabindex: '-1' });
  const send = element('button', { class: 'send' }, 'Send');
  const main = fields.filter(({ parameter }) => parameter.in !== 'header').map(({ row }) => row);
  const headers = fields.filter(({ parameter }) => parameter.in === 'header').map(({ row }) => row);
  const form = element(
    'form',
    { class: 'try', 'aria-label': `Try ${id}`, autocomplete: 'off' },
    ...(main.length === 0 ? [] : [group('Parameters', main)]),
    ...(headers.length === 0 ? [] : [disclosure({}, ['Headers'], () => headers)]),
    ...(body === null ? [] : [group('Body', body.rows)]),
    element('div', { class: 'command' }, element('pre', { tabindex: '0', 'aria-label': 'curl command' }, curl)),
    element('div', { class: 'buttons' }, send, copyButton(curl)),
  );
  for (const event of ['input', 'change']) form.addEventListener(event, tellCurl);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    tellCurl();
    void sendRequest(id, request(), send, reply);
  });
  tellCurl();
  return element('div', {}, form, reply);
}

/**
 * @param {string} name
 * @param {readonly HTMLElement[]} rows
 */
const group = (name, rows) => element('fieldset', {}, element('legend', {}, name), ...rows);

/** @param {HTMLElement} source */
function copyButton(source) {
  const copy = button('Copy curl', async () => {
    // Browsers have no clipboard for pages that came without TLS from elsewhere than this machine.
    const isDone = await (navigator.clipboard?.writeText(source.textContent) ?? Promise.reject()).then(
      () => true,
      () => false,
    );
    copy.textContent = isDone ? 'Copied' : 'Select the line above to copy it';
    setTimeout(() => void (copy.textContent = 'Copy curl'), 2000);
  });
  return copy;
}

/**
 * The request that the fields make.
 * @param {Entry} entry
 * @param {Operation} operation
 * @param {readonly import('./fields.mjs').Field[]} fields
 * @param {Request['body']} body
 * @returns {Request}
 */
function toRequest({ method, path }, { security }, fields, body) {
  const ofPlace = (/** @type {string} */ place) => fields.filter(({ parameter }) => parameter.in === place);
  /** @type {readonly (readonly [string, string])[]} */
  const query = ofPlace('query').flatMap(({ parameter, values }) =>
    values().map((value) => /** @type {const} */ ([parameter.name, value])),
  );
  const address = ofPlace('path').reduce((text, { parameter, values }) => {
    const [value] = values();
    // What stands for the rest of a path may hold slashes.
    const encoded = parameter.name === 'rest' ? encodeURI(value ?? '') : encodeURIComponent(value ?? '');
    return value === undefined ? text : text.replace(`{${parameter.name}}`, () => encoded);
  }, path);
  const search = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return {
    method,
    path: search === '' ? address : `${address}?${search}`,
    headers: ofPlace('header').flatMap(({ parameter, values }) =>
      values().map((value) => /** @type {const} */ ([parameter.name, value])),
    ),
    needsSession: security.length > 0 || Object.keys(sessionHeaders()).length > 0,
    ...(body === undefined ? {} : { body }),
  };
}

/**
 * Sends a request and shows what comes back. The button ends it while it runs.
 * @param {string} id
 * @param {Request} request
 * @param {HTMLButtonElement} send
 * @param {HTMLElement} reply
 */
async function sendRequest(id, request, send, reply) {
  const gone = new AbortController();
  const cancel = button('Cancel', () => gone.abort());
  send.after(cancel);
  // Whoever goes by keys stays beside what they pressed, and comes to the reply with it.
  if (document.activeElement === send) cancel.focus();
  send.disabled = true;
  reply.replaceChildren(element('p', { role: 'status' }, 'Waiting for the reply…'));
  const begin = performance.now();
  try {
    const headers = sessionHeaders();
    const response = await fetch(request.path, { ...toFetch(request, headers), signal: gone.signal });
    const content = await response.blob();
    if (response.status === 412 && (await content.text()).includes('SESSION_')) sessionGone(headers);
    await showReply(reply, { id, response, content, ms: performance.now() - begin });
  } catch (error) {
    const why = gone.signal.aborted ? 'Canceled.' : `No reply that a page can read: ${String(error)}`;
    reply.replaceChildren(element('p', { role: 'alert', class: 'fault' }, why));
  } finally {
    cancel.remove();
    if (isFocusLost()) reply.focus();
    send.disabled = false;
  }
}

/**
 * The body's schema and the replies, as the document has them.
 * @param {Operation} operation
 * @param {Section} section
 */
function described({ requestBody, responses }, { components }) {
  const body = Object.values(requestBody?.content ?? {})[0]?.schema;
  const rows = Object.entries(responses).map(([status, told]) => {
    const response = '$ref' in told ? components.responses[told.$ref.split('/').at(-1) ?? ''] : told;
    return replyRow(status, response ?? { description: '' }, components.schemas);
  });
  return [
    ...(body === undefined || body.format === 'binary'
      ? []
      : [disclosure({}, ['What the body may hold'], () => [schemaView(body, components.schemas)])]),
    disclosure({}, ['Replies'], () => [element('dl', { class: 'replies' }, ...rows.flat())]),
  ];
}

/**
 * @param {string} status
 * @param {Response} response
 * @param {{ readonly [name: string]: Schema }} schemas
 */
function replyRow(status, { description, content = {} }, schemas) {
  const types = Object.entries(content);
  const isFailure = !/^[23]/.test(status);
  return [
    element('dt', {}, status === 'default' ? 'other' : status),
    element(
      'dd',
      {},
      ...inline(description),
      ...(isFailure ? [] : types.map(([type, { schema }]) => typeView(type, schema, schemas))),
    ),
  ];
}

/**
 * @param {string} type
 * @param {Schema} schema
 * @param {{ readonly [name: string]: Schema }} schemas
 */
const typeView = (type, schema, schemas) =>
  /json/.test(type)
    ? disclosure({}, [type], () => [schemaView(schema, schemas)])
    : element('p', { class: 'note' }, type);
