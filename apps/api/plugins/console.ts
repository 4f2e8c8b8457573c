// /console: the service in a browser (decision 0034). Every address below it is the one page, which reads its own address; its scripts and styles
// are under /console/files/<version>, which browsers keep for good. What the page may load and ask is said by a policy: this service, and nothing else.
import { hash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readEnumerationLabels } from '#store/enumerations/labels.ts';
import { fileTypes, kept, sendPart } from '../reply/kept-parts.ts';
import { modulesOf } from './console-modules.ts';

const folder = new URL('../../console/', import.meta.url);

// Packages are sent as they are published; the import map says where, since browsers know no names of packages.
const packages: { readonly [name: string]: string } = {
  preact: 'preact/dist/preact.mjs',
  'preact/hooks': 'preact/hooks/dist/hooks.mjs',
  'preact/jsx-runtime': 'preact/jsx-runtime/dist/jsxRuntime.mjs',
  '@preact/signals': '@preact/signals/dist/signals.mjs',
  '@preact/signals-core': '@preact/signals-core/dist/signals-core.mjs',
};
const files = '/console/files';
// Where packages stand among the files, by name.
const packagePaths = Object.fromEntries(Object.entries(packages).map(([name, path]) => [name, `packages/${path}`]));
// What every address begins with, and the view that the address without more leads to.
const [entry, search] = ['apps/console/main.js', 'apps/console/finding/search.js'];

/** What follows from the content of the files: the version in their addresses, the import map that names them, the policy that names the map. */
type Edition = { readonly version: string; readonly importMap: string; readonly policy: string };

function editionOf(all: ReadonlyMap<string, () => string>): Edition {
  const contents = [...all].map(([path, read]) => [path, read()]);
  const version = hash('sha256', JSON.stringify(contents), 'base64url').slice(0, 16);
  const imports = Object.entries(packagePaths).map(([name, path]) => [name, `${files}/${version}/${path}`]);
  const importMap = JSON.stringify({ imports: Object.fromEntries(imports) });
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash('sha256', importMap, 'base64')}'`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  return { version, importMap, policy };
}

/** Sends the page, which says by itself of an address that there is nothing at it. */
type SendConsole = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Whether an address is one of the page. */
export const isOfConsole = (url: string): boolean => url.startsWith('/console/') && !url.startsWith(`${files}/`);

/** Adds /console and its files; gives what sends the page where no route does, as of addresses that are cut off within a character. */
export function addConsole(app: FastifyInstance): SendConsole {
  const all = filesOfConsole();
  let made: Edition | undefined;
  // Made for the first who asks: most processes that start are never asked.
  const edition = (): Edition => (made ??= editionOf(all));
  const preloads = (entries: readonly string[]): string =>
    modulesOf(entries, (path) => all.get(path)?.(), packagePaths)
      .map((path) => `<link rel="modulepreload" href="${files}/${edition().version}/${path}">`)
      .join('\n');
  const page = kept((entries) =>
    readFileSync(new URL('page.html', folder), 'utf8')
      .replaceAll('{{version}}', () => edition().version)
      .replace('{{import map}}', () => edition().importMap)
      .replace('{{preloads}}', () => preloads(entries.split(' '))),
  );
  // One route for each file, so that no path of a request ever names one on the disk.
  for (const [path, read] of all) {
    const part = kept(read);
    const type = fileTypes[extname(path)] ?? 'application/json';
    app.get<{ Params: { version: string } }>(`${files}/:version/${path}`, (request, reply) => {
      const { version, policy } = edition();
      // Under the version of another process, while it is replaced, they are sent as they are here, and kept by nobody.
      if (request.params.version === version) reply.header('cache-control', 'public, max-age=31536000, immutable');
      return sendPart(request, reply, part(''), { type, policy });
    });
  }
  const sendPage = (request: FastifyRequest, reply: FastifyReply, entries: string): Promise<FastifyReply> =>
    sendPart(request, reply, page(entries), { type: 'text/html; charset=utf-8', policy: edition().policy });
  app.get('/console', (request, reply) => sendPage(request, reply, `${entry} ${search}`));
  const sendAny: SendConsole = (request, reply) => sendPage(request, reply, entry);
  app.get('/console/*', sendAny);
  return sendAny;
}

/** The files below /console/files, each with what reads it. */
function filesOfConsole(): ReadonlyMap<string, () => string> {
  const at = (path: string) => () => readFileSync(new URL(path, folder), 'utf8');
  const built = globSync('**/*.js', { cwd: new URL('built/', folder) }).map((path) => path.replaceAll('\\', '/'));
  return new Map<string, () => string>([
    ...['page.css', 'icon.svg'].map((path) => [path, at(path)] as const),
    ...built.map((path) => [path, at(`built/${path}`)] as const),
    ...Object.entries(packages).map(
      ([name, path]) =>
        [`packages/${path}`, () => readFileSync(fileURLToPath(import.meta.resolve(name)), 'utf8')] as const,
    ),
    ['labels.json', () => JSON.stringify(readEnumerationLabels())],
  ]);
}
