// Parts of the pages of this service: texts that stay while the process runs, made when first asked for, sent with their tag and policy.
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fail } from '#domain/errors.ts';
import { acceptsGzip } from './accepts-gzip.ts';
import { matchesNone } from './etag.ts';
import { asItIs } from './send.ts';

/** Media types of the files of pages, by extension. */
export const fileTypes: { readonly [extension: string]: string } = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A text with its tag, which stays while the process runs; `gzipped`, with a tag of its own, where that is worth it. */
export type Part = {
  readonly text: string;
  readonly tag: string;
  readonly gzipped: { readonly tag: string; bytes(): Promise<Buffer> } | null;
};

/** Characters of a text that is worth it: shorter ones fit a packet. */
const leastGzipped = 1000;
const compress = promisify(gzip);

function toPart(text: string): Part {
  const digest = hash('sha1', text, 'base64url');
  let made: Promise<Buffer> | undefined;
  // By a thread of Node's, once, for the first who is sent it: the document of the interface is megabytes.
  const bytes = (): Promise<Buffer> => (made ??= compress(text));
  const gzipped = text.length >= leastGzipped ? { tag: `"${digest}-gzip"`, bytes } : null;
  return { text, tag: `"${digest}"`, gzipped };
}

/** Makes each part when it is first asked for, and keeps it. */
export function kept(make: (name: string) => string | undefined): (name: string) => Part {
  const parts = new Map<string, Part>();
  return (name) => {
    const known = parts.get(name);
    if (known !== undefined) return known;
    const text = make(name);
    if (text === undefined) throw fail('not_found', 'Not found');
    const part = toPart(text);
    parts.set(name, part);
    return part;
  };
}

/** Sends a part, or a 304 to whoever has it. Its type is already said to be heeded as it stands (plugins/headers.ts). */
export async function sendPart(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, tag, gzipped }: Part,
  { type, policy }: { readonly type: string; readonly policy: string },
): Promise<FastifyReply> {
  const { 'accept-encoding': accepted, 'if-none-match': known } = request.headers;
  const short = acceptsGzip(accepted) ? gzipped : null;
  reply.headers({ etag: short?.tag ?? tag, 'content-security-policy': policy, 'referrer-policy': 'no-referrer' });
  if (gzipped !== null) reply.header('vary', 'accept-encoding');
  if (matchesNone(known, short?.tag ?? tag)) return reply.code(304).send();
  reply.header('content-type', type);
  if (short === null) return reply.serializer(asItIs).send(text);
  const bytes = await short.bytes();
  return reply.header('content-encoding', 'gzip').send(bytes);
}
