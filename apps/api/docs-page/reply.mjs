// What came back: status, headers, the body as text where it is some, and the body as a file.
import { button, element } from './elements.mjs';

/** Of longer texts the beginning is shown; the whole is there to be downloaded. */
const shownCharacters = 200_000;

/**
 * @typedef {{ readonly id: string, readonly response: Response, readonly content: Blob, readonly ms: number }} Reply
 * `ms` is how long it took to the last byte.
 */

/**
 * Shows a reply in place of what stood there.
 * @param {HTMLElement} area
 * @param {Reply} reply
 */
export async function showReply(area, reply) {
  const { response, content, ms } = reply;
  const type = response.headers.get('content-type') ?? '';
  const isFine = response.status < 400;
  const phrase = `${response.status} ${response.statusText}`.trim();
  /** @type {HTMLElement[]} */
  const parts = [
    element(
      'p',
      { role: 'status' },
      element('strong', { class: isFine ? 'status fine' : 'status fault' }, phrase),
      ` ${Math.round(ms)} ms, ${sizeOf(content.size)}${type === '' ? '' : `, ${type}`}`,
      ...(response.redirected ? [element('span', { class: 'note' }, ` from ${new URL(response.url).pathname}`)] : []),
    ),
    headersView(response.headers),
  ];
  if (content.size > 0) {
    parts.push(element('div', { class: 'buttons' }, downloadButton(reply)));
    if (isText(type)) parts.push(await textView(content, type));
  }
  area.replaceChildren(...parts);
}

/** @param {string} type */
const isText = (type) => /^text\/|json|xml|javascript|yaml/.test(type);

/** @param {number} bytes */
function sizeOf(bytes) {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** @param {Headers} headers */
function headersView(headers) {
  const rows = [...headers].flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]);
  return element(
    'details',
    { class: 'headers' },
    element('summary', {}, 'Headers of the reply'),
    element('dl', {}, ...rows),
  );
}

/**
 * The body as text: JSON over several lines, all else as it came.
 * @param {Blob} content
 * @param {string} type
 */
async function textView(content, type) {
  const isWhole = content.size <= shownCharacters;
  const text = await (isWhole ? content : content.slice(0, shownCharacters)).text();
  const shown = isWhole && /\bjson\b/.test(type) ? indented(text) : text;
  const pre = element('pre', { class: 'content', tabindex: '0', 'aria-label': 'Body of the reply' }, shown);
  if (isWhole) return pre;
  const note = `The first ${sizeOf(shownCharacters)} are shown; the download has all.`;
  return element('div', {}, element('p', { class: 'note' }, note), pre);
}

/**
 * JSON with indentation; what is none, such as lines of JSON, as it came.
 * @param {string} text
 */
function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** @param {Reply} reply */
function downloadButton({ id, response, content }) {
  const name = fileName(id, response);
  return button(`Download ${name}`, () => {
    const href = URL.createObjectURL(content);
    element('a', { href, download: name }).click();
    // The browser reads it after the click has been dealt with.
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  });
}

/**
 * The name that the service gives the file, else one of the operation and the media type.
 * @param {string} id
 * @param {Response} response
 */
function fileName(id, response) {
  const given = /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  if (given !== undefined) return given;
  const subtype = /^[^/;]+\/(?:[\w.-]+\+)?([\w.-]+)/.exec(response.headers.get('content-type') ?? '')?.[1] ?? 'bin';
  return `${id}.${subtype === 'plain' ? 'txt' : subtype}`;
}
