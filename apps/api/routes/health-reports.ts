// How an installation is, for administrators: what is wrong with it or will be, and how it was over the last hour.
import { shape } from '../openapi/shape.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';

const forAdministrators = { all: ['administer_system'] } as const;
const levels = ['problem', 'warning', 'notice'] as const;

const doctor = defineRoute({
  method: 'GET',
  path: '/system/doctor',
  operation: 'diagnoseSystem',
  area: 'system',
  summary: 'What is wrong with the installation, or will be',
  doc: 'An addition of Muniment: what `muniment doctor --json` says, of the settings of the process that answers. docs/operations.md has each finding by its `id`.',
  access: forAdministrators,
  parameters: {},
  replies: {
    200: {
      says: 'The gravest finding first. `ok`: nothing but notices.',
      shape: shape.object({
        ok: shape.boolean,
        findings: shape.list(
          shape.object({ level: shape.oneOf(...levels), id: shape.text, says: shape.text, advice: shape.text }),
        ),
        facts: shape.anyObject,
      }),
      example: {
        ok: false,
        findings: [
          {
            level: 'warning',
            id: 'backup_old',
            says: 'The newest backup is 5 days old.',
            advice: 'Run npm run backup every night.',
          },
        ],
        facts: {},
      },
    },
  },
  handler: async ({ services }) => {
    const { ok, findings, facts } = await services.diagnose();
    return { ok, findings: findings.map((each) => ({ ...each })), facts: JSON.parse(JSON.stringify(facts)) };
  },
});

const known = shape.nullable(shape.number);
const sample = shape.object({
  at: shape.time,
  requests: shape.says(shape.integer, 'Since the sample before.'),
  failed: shape.says(shape.integer, 'Of them those answered with 5xx.'),
  event_loop_ms: shape.says(shape.number, 'Delay of the event loop, 99th percentile.'),
  memory_mib: shape.number,
  processor_percent: shape.says(shape.number, 'Of one processor.'),
  connections: shape.integer,
  connections_awaited: shape.integer,
  jobs_queued: shape.says(known, 'Of the installation, like all that follows; null: the database did not answer.'),
  jobs_running: known,
  jobs_waiting_seconds: shape.says(known, 'How long the oldest job that is due has waited.'),
  index_records: shape.says(known, 'About how many records search does not show as they are.'),
  index_waiting_seconds: shape.says(known, 'Age of the oldest change that search does not show.'),
  disk_free_mib: shape.says(known, 'On the disk of the database; null: it is on another machine.'),
});

const figures = defineRoute({
  method: 'GET',
  path: '/system/figures',
  operation: 'getRecentFigures',
  area: 'system',
  summary: 'How the service was over the last hour',
  doc: 'An addition of Muniment, for who has nothing that gathers /metrics: a sample a minute of the process that answers, and its slowest routes since it began.',
  access: forAdministrators,
  parameters: {},
  replies: {
    200: {
      says: 'Samples, oldest first, the last one of now; at most ten routes, slowest on the average first.',
      shape: shape.object({
        samples: shape.list(sample),
        slowest: shape.list(
          shape.object({
            method: shape.text,
            route: shape.text,
            requests: shape.integer,
            mean_ms: shape.number,
            longest_ms: shape.number,
            minutes_ms: shape.says(
              shape.list(known),
              'The mean of each minute of the samples, oldest first; null: nobody asked.',
            ),
          }),
        ),
      }),
    },
  },
  handler: async ({ services: { recentFigures } }) => ({
    samples: (await recentFigures.samples()).map((each) => ({ ...each })),
    slowest: recentFigures.slowest(10).map((each) => ({ ...each })),
  }),
});

/** The routes of this file. */
export const healthReportRoutes: readonly Route[] = [doctor, figures];
