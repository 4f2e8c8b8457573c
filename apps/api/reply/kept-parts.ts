// Parts of the pages of this service: texts that stay while the process runs, made when first asked for, sent with their tag and policy.
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fail } from '#domain/errors.ts';
import { matchesNone } from './etag.ts';
import { asItIs } from './send.ts';

/** Media types of the files of pages, by extension. */
export const fileTypes: { readonly [extension: string]: string } = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A text with its tag, which stays while the process runs. */
export type Part = { readonly text: string; readonly tag: string };

const toPart = (text: string): Part => ({ text, tag: `"${hash('sha1', text, 'base64url')}"` });

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
export function sendPart(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, tag }: Part,
  { type, policy }: { readonly type: string; readonly policy: string },
): FastifyReply {
  reply.headers({ etag: tag, 'content-security-policy': policy, 'referrer-policy': 'no-referrer' });
  if (matchesNone(request.headers['if-none-match'], tag)) return reply.code(304).send();
  return reply.serializer(asItIs).header('content-type', type).send(text);
}
