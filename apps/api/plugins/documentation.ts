// GET /openapi.json and its sections, and /docs: a page on which everything can be read and tried (decision 0024). The page is apps/api/docs-page;
// all that it needs comes from this machine, under a policy that lets it run no other script and speak to no other server.
import { hash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { extname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { toContents, toSection } from '../openapi/sections.ts';
import { matchesNone } from '../reply/etag.ts';
import { asItIs } from '../reply/send.ts';
import { errorsPage } from './errors-page.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const folder = new URL('../docs-page/', import.meta.url);

const types: { readonly [extension: string]: string } = {
  '.css': 'text/css; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A text with its tag, which stays while the process runs. */
type Part = { readonly text: string; readonly tag: string };

const toPart = (text: string): Part => ({ text, tag: `"${hash('sha1', text, 'base64url')}"` });

/** Makes each part when it is first asked for, and keeps it. */
function kept(make: (name: string) => string | undefined): (name: string) => Part {
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

/** Adds /openapi.json, /openapi/<area>.json, /docs with the files of the page, and /docs/errors. */
export function addDocumentation(app: FastifyInstance, document: JsonObject): void {
  const whole = kept(() => `${JSON.stringify(document)}\n`);
  const section = kept((slug) => {
    const found = toSection(document, slug);
    return found === undefined ? undefined : `${JSON.stringify(found)}\n`;
  });
  const contents = kept(() => `${JSON.stringify(toContents(document))}\n`);
  const file = kept((name) => readFileSync(new URL(name, folder), 'utf8'));
  const errors = kept(errorsPage);
  const json = 'application/json';
  const html = 'text/html; charset=utf-8';
  app.get('/openapi.json', (request, reply) => sendPart(request, reply, whole(''), json));
  app.get<{ Params: { area: string } }>('/openapi/:area.json', (request, reply) =>
    sendPart(request, reply, section(request.params.area), json),
  );
  app.get('/docs', (request, reply) => sendPart(request, reply, file('page.html'), html));
  app.get('/docs/errors', (request, reply) => sendPart(request, reply, errors(''), html));
  app.get('/docs/contents.json', (request, reply) => sendPart(request, reply, contents(''), json));
  for (const name of readdirSync(folder)) {
    const type = types[extname(name)];
    if (type !== undefined) app.get(`/docs/${name}`, (request, reply) => sendPart(request, reply, file(name), type));
  }
}

/** Sends a part, or a 304 to whoever has it. Its type is already said to be heeded as it stands (plugins/headers.ts). */
function sendPart(request: FastifyRequest, reply: FastifyReply, { text, tag }: Part, type: string): FastifyReply {
  reply.headers({ etag: tag, 'content-security-policy': policy, 'referrer-policy': 'no-referrer' });
  if (matchesNone(request.headers['if-none-match'], tag)) return reply.code(304).send();
  return reply.serializer(asItIs).header('content-type', type).send(text);
}
