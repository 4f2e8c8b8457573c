// What the service tells about itself to anybody: that it is there, and which interface it speaks.
import { interfaceVersions, productVersion } from '../product.ts';
import { text } from '../reply.ts';
import { defineRoute } from '../route.ts';
import type { Route } from '../route.ts';

const root = defineRoute({
  method: 'GET',
  path: '/',
  area: 'system',
  summary: 'What this service is',
  access: 'public',
  parameters: {},
  replies: { 200: { says: 'Name, versions, and where the documentation is.', example: { name: 'Muniment', version: productVersion } } },
  handler: (call) => ({
    name: 'Muniment',
    version: productVersion,
    interface_release: call.release,
    interface_version: interfaceVersions[call.release],
    documentation: '/docs',
    openapi: '/openapi.json',
  }),
});

const version = defineRoute({
  method: 'GET',
  path: '/version',
  area: 'system',
  summary: 'Version text',
  doc: 'The version in parentheses is that of the interface, which clients compare; the version of Muniment itself is at `/`.',
  access: 'public',
  parameters: {},
  replies: { 200: { says: 'The product and the version of the interface it speaks.', contentType: 'text/html', example: 'Muniment (v4.1.1)' } },
  // Clients (ArchivesSnake, the Ruby client, Archivematica…) read `(vX.Y.Z)` and switch features on by it, so the number
  // must be that of the interface; nothing else stands in the parentheses, or their pattern would not match.
  handler: (call) => text(`Muniment (v${interfaceVersions[call.release]})`, 'text/html;charset=utf-8'),
});

/** The routes of this file. */
export const systemRoutes: readonly Route[] = [root, version];
