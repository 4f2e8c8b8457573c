// GET /openapi.json, and /docs: a page to read and try every endpoint. All its files come from this machine, under a
// content security policy that lets it talk to this server alone. The session token is entered once, under "Authorize".
import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { JsonObject } from '#domain/json.ts';
import { sendJsonText } from '../reply/send.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Muniment: the HTTP interface</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="page"></div>
<noscript>This page needs JavaScript. The same document is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const start = `window.ui = SwaggerUIBundle({
  url: '/openapi.json', dom_id: '#page', deepLinking: true, docExpansion: 'none', filter: true, tryItOutEnabled: true,
  displayRequestDuration: true, defaultModelsExpandDepth: 0, validatorUrl: null, presets: [SwaggerUIBundle.presets.apis],
});
`;

// Served from the package @fastify/swagger-ui, which itself would want a plug-in that derives the document from Fastify's routes.
const assets = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const;

/** Adds /openapi.json, /docs and the files of the page. */
export function addDocumentation(app: FastifyInstance, document: JsonObject): void {
  const text = JSON.stringify(document);
  const require = createRequire(import.meta.url);
  const send = (reply: FastifyReply, contentType: string): FastifyReply =>
    reply.headers({ 'content-type': contentType, 'content-security-policy': policy, 'referrer-policy': 'no-referrer' });
  app.get('/openapi.json', async (_request, reply) => sendJsonText(reply, text));
  app.get('/docs', async (_request, reply) => send(reply, 'text/html; charset=utf-8').send(page));
  app.get('/docs/start.js', async (_request, reply) => send(reply, 'text/javascript; charset=utf-8').send(start));
  for (const [name, contentType] of Object.entries(assets)) {
    const path = require.resolve(`@fastify/swagger-ui/static/${name}`);
    app.get(`/docs/${name}`, async (_request, reply) =>
      send(reply, contentType).header('cache-control', 'private, max-age=86400').send(createReadStream(path)),
    );
  }
}
