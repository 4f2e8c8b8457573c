// GET /openapi.json and its sections, and /docs: a page on which everything can be read and tried (decision 0024). The page is apps/api/docs-page;
// all that it needs comes from this machine, under a policy that lets it run no other script and speak to no other server.
import { readFileSync, readdirSync } from 'node:fs';
import { extname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { JsonObject } from '#domain/json.ts';
import { toContents, toSection } from '../openapi/sections.ts';
import type { Part } from '../reply/kept-parts.ts';
import { fileTypes, kept, sendPart as sendUnder } from '../reply/kept-parts.ts';
import { errorsPage } from './errors-page.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const folder = new URL('../docs-page/', import.meta.url);

const sendPart = async (
  request: FastifyRequest,
  reply: FastifyReply,
  part: Part,
  type: string,
): Promise<FastifyReply> => sendUnder(request, reply, part, { type, policy });

/** Adds /openapi.json, /openapi/<area>.json, /docs with the files of the page, and /docs/errors. The document is made when it is first asked for. */
export function addDocumentation(app: FastifyInstance, makeDocument: () => JsonObject): void {
  let made: JsonObject | undefined;
  const document = (): JsonObject => (made ??= makeDocument());
  const whole = kept(() => `${JSON.stringify(document())}\n`);
  const section = kept((slug) => {
    const found = toSection(document(), slug);
    return found === undefined ? undefined : `${JSON.stringify(found)}\n`;
  });
  const contents = kept(() => `${JSON.stringify(toContents(document()))}\n`);
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
    const type = fileTypes[extname(name)];
    if (type !== undefined) app.get(`/docs/${name}`, (request, reply) => sendPart(request, reply, file(name), type));
  }
}
