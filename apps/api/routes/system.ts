// What the service tells about itself: to anybody that it is there and which interface it speaks, to administrators how it is.
import { shape } from '../openapi/shape.ts';
import { fail } from '#domain/errors.ts';
import type { Json } from '#domain/json.ts';
import { readSchedules } from '#store/queue/read-schedules.ts';
import { readSystemEvents, readSystemFacts } from '#store/maintenance/system-facts.ts';
import { interfaceVersions, productVersion } from '../openapi/product.ts';
import { text } from '../reply/reply.ts';
import { defineRoute } from '../route.ts';
import type { Route } from '../route.ts';

const root = defineRoute({
  method: 'GET',
  path: '/',
  operation: 'getService',
  area: 'system',
  summary: 'What this service is',
  access: 'public',
  parameters: {},
  replies: {
    200: {
      says: 'Name, versions, and where the documentation is.',
      shape: shape.object({
        name: shape.text,
        version: shape.text,
        interface_release: shape.oneOf('R-A', 'R-B'),
        interface_version: shape.text,
        documentation: shape.uri,
        openapi: shape.uri,
      }),
    },
  },
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
  operation: 'getVersion',
  area: 'system',
  summary: 'Version text',
  doc: 'The version in parentheses is that of the interface, which clients compare; the version of Muniment itself is at `/`.',
  access: 'public',
  parameters: {},
  replies: {
    200: {
      says: 'The product and the version of the interface it speaks.',
      contentType: 'text/html',
      example: 'Muniment (v4.1.1)',
    },
  },
  // Clients (ArchivesSnake, the Ruby client, Archivematica…) read `(vX.Y.Z)` and switch features on by it, so the number
  // must be that of the interface; nothing else stands in the parentheses, or their pattern would not match.
  handler: (call) => text(`Muniment (v${interfaceVersions[call.release]})`, 'text/html;charset=utf-8'),
});

const forAdministrators = { all: ['administer_system'] } as const;

const info = defineRoute({
  method: 'GET',
  path: '/system/info',
  operation: 'getSystemInfo',
  area: 'system',
  summary: 'Facts about the installation',
  access: forAdministrators,
  parameters: {},
  replies: {
    200: { says: 'Versions, database, numbers of records (estimated), index and jobs.', shape: shape.anyObject },
  },
  handler: async ({ services, release }) => ({
    version: productVersion,
    interface: { release, version: interfaceVersions[release] },
    runtime: {
      node: process.version,
      platform: process.platform,
      arch: process.arch,
      uptime_seconds: Math.round(process.uptime()),
      memory_bytes: process.memoryUsage.rss(),
    },
    ...(await readSystemFacts(services.database)),
  }),
});

const log = defineRoute({
  method: 'GET',
  path: '/system/log',
  operation: 'getSystemLog',
  area: 'system',
  summary: 'The last lines of the log',
  doc: 'Of the process that answers: a JSON object a line. No bodies, passwords or tokens are logged.',
  access: forAdministrators,
  parameters: {},
  replies: { 200: { says: 'At most 500 lines, oldest first.', contentType: 'text/plain' } },
  handler: ({ services }) => text(services.recentLog.text()),
});

const events = defineRoute({
  method: 'GET',
  path: '/system/events',
  operation: 'listSystemEvents',
  area: 'system',
  summary: 'What happened to the installation',
  access: forAdministrators,
  parameters: {},
  replies: {
    200: {
      says: 'The newest first.',
      shape: shape.list(shape.object({ id: shape.integer, title: shape.text, time: shape.time })),
      example: [{ id: 1, title: 'MIGRATION 0001_records', time: '2026-01-01T00:00:00Z' }],
    },
  },
  handler: ({ services }) => readSystemEvents(services.database.reader),
});

const schedules = defineRoute({
  method: 'GET',
  path: '/system/schedules',
  operation: 'listSchedules',
  area: 'system',
  summary: 'What runs by the clock',
  doc: 'An addition of Muniment. `cron` has five fields; `last_job` is the newest job of this type, whoever started it. The configuration says when: `MUNIMENT_REINDEX_CRON`.',
  access: forAdministrators,
  parameters: {},
  replies: {
    200: {
      says: 'The schedules in force, by name.',
      shape: shape.list(
        shape.object({
          name: shape.text,
          cron: shape.text,
          timezone: shape.text,
          last_job: shape.nullable(
            shape.object({ id: shape.integer, status: shape.text, time_submitted: shape.nullable(shape.text) }),
          ),
        }),
      ),
      example: [
        {
          name: 'reindex',
          cron: '0 2 * * *',
          timezone: 'UTC',
          last_job: { id: 12, status: 'completed', time_submitted: '2026-01-01T02:00:00Z' },
        },
      ],
    },
  },
  handler: ({ services }) => readSchedules(services.database.reader),
});

// What must not be shown, to administrators neither: a reply may end in a log or a bug report.
const secret = /PASSWORD$|KEY(?:_ID)?$|URL$|^DATABASE_|^OTEL_EXPORTER_OTLP_HEADERS$/;

const showConfig = defineRoute({
  method: 'POST',
  path: '/system/config',
  operation: 'showConfiguration',
  area: 'system',
  summary: 'Show the configuration',
  doc: 'Passwords, keys and addresses of databases are left out. The configuration is read at start; changing it needs a restart.',
  release: 'R-A',
  access: forAdministrators,
  parameters: {},
  replies: { 200: { says: 'Variables and their values.', shape: shape.mapOf(shape.anything) } },
  handler: ({ services }) =>
    Object.fromEntries(
      Object.entries(services.config)
        .filter(
          ([name, value]) => value !== undefined && (!secret.test(name) || name === 'MUNIMENT_GLOBAL_PERMISSIONS_KEY'),
        )
        .map(([name, value]): [string, Json] => [name, shown(value)]),
    ),
});

/** A value of the configuration as JSON: texts, numbers, flags and lists of texts. */
const shown = (value: unknown): Json =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : Array.isArray(value)
      ? value.map(String)
      : JSON.stringify(value);

const snapshot = defineRoute({
  method: 'POST',
  path: '/system/demo_db_snapshot',
  operation: 'snapshotDatabase',
  area: 'system',
  summary: 'Back up the embedded database',
  doc: 'Not over HTTP: anybody could fill the disk. `npm run backup` does it.',
  release: 'R-A',
  access: 'public',
  parameters: {},
  replies: { 400: 'Always: backups are made on the command line.' },
  handler: () => {
    throw fail('not_allowed', 'Backups are not made over HTTP; run: npm run backup');
  },
});

/** The routes of this file. */
export const systemRoutes: readonly Route[] = [root, version, info, log, events, schedules, showConfig, snapshot];
