// What a handler may return beside a plain JSON value: small constructors, told apart from JSON by a symbol key.
// send.ts alone turns them into HTTP.
import { Readable } from 'node:stream';
import { LoopTurns } from '#store/connection/loop-turns.ts';
import type { Json, JsonObject } from '#domain/json.ts';

/** Marks a reply, so that a JSON body with a key `status` is never taken for one. */
const replyMark: unique symbol = Symbol('reply');

type Headers = { readonly [name: string]: string };
type Content =
  | { readonly form: 'json'; readonly value: Json }
  | { readonly form: 'json_text'; readonly text: string }
  | { readonly form: 'text'; readonly text: string; readonly contentType: string }
  | { readonly form: 'stream'; readonly stream: Readable; readonly contentType: string }
  | { readonly form: 'redirect'; readonly location: string };

/** A reply with its status and headers; made by the functions below alone. */
export type Reply = Content & { readonly [replyMark]: true; readonly status: number; readonly headers: Headers };

/** A JSON value under a status of its own. A value returned bare is `json(value)`. */
export function json(value: Json, status = 200, headers: Headers = {}): Reply {
  return { [replyMark]: true, form: 'json', value, status, headers };
}

/** JSON text that is ready, as the database gives it: sent as it is, without parsing. */
export function jsonText(text: string, status = 200, headers: Headers = {}): Reply {
  return { [replyMark]: true, form: 'json_text', text, status, headers };
}

/** Text of another media type, sent exactly as given. */
export function text(
  body: string,
  contentType = 'text/plain; charset=utf-8',
  status = 200,
  headers: Headers = {},
): Reply {
  return { [replyMark]: true, form: 'text', text: body, contentType, status, headers };
}

/** A stream; never held in memory. It is destroyed when the client goes away; its failure cuts the connection. */
export function stream(readable: Readable, contentType: string, headers: Headers = {}): Reply {
  return { [replyMark]: true, form: 'stream', stream: readable, contentType, status: 200, headers };
}

/** Characters up to which a reply in pieces is one text, with its length and its ETag. */
const mostInOne = 4_000_000;

/** JSON text in pieces, between two others: one text where it is of usual length, else put together as it is sent. */
export function jsonPieces(pieces: IteratorObject<string>, before = '', after = ''): Reply {
  let text = before;
  // No loop over the iterator, which would end it.
  for (let next = pieces.next(); next.done !== true; next = pieces.next()) {
    text += next.value;
    if (text.length > mostInOne) return jsonStream(between(text, pieces, after));
  }
  return jsonText(text + after);
}

/** A page whose `results`, the JSON text of an array, are given in pieces. What the page has before them are numbers. */
export function jsonPage(page: JsonObject, results: IteratorObject<string>): Reply {
  const empty = JSON.stringify({ ...page, results: [] });
  const start = empty.indexOf('"results":[]') + '"results":'.length;
  return jsonPieces(results, empty.slice(0, start), empty.slice(start + '[]'.length));
}

function* between(before: string, pieces: IteratorObject<string>, after: string): Generator<string> {
  yield before;
  yield* pieces;
  yield after;
}

/** JSON text in chunks, sent as they come and ended by a newline as every JSON reply is. */
export function jsonStream(texts: AsyncIterable<string> | Iterable<string>): Reply {
  return stream(Readable.from(withNewline(texts), { objectMode: false }), 'application/json');
}

async function* withNewline(texts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  // What is there already is taken without anybody else having a turn, as long as the socket takes it.
  const turns = new LoopTurns();
  for await (const text of texts) {
    yield text;
    if (turns.isDue()) await turns.next();
  }
  yield '\n';
}

/** A redirection: status 303 and so on, and where to. */
export function redirect(status: number, location: string): Reply {
  return { [replyMark]: true, form: 'redirect', location, status, headers: {} };
}

/** Whether a handler's value is a reply of this file rather than plain JSON. */
export function isReply(value: Reply | Json): value is Reply {
  return typeof value === 'object' && value !== null && replyMark in value;
}
