// The variables that say how processes are watched.
import { z } from 'zod';
import { decimalNumber, flag, integer, isWebServer, plainName } from './values.ts';

const isPairs = (text: string): boolean => text.split(',').every((pair) => /^\s*[^\s=,]+\s*=[^,]*$/.test(pair));

/** The variables by name; config.ts has them among the others. Those that begin with OTEL_ are OpenTelemetry's, with its meanings. */
export const observingVariables = {
  MUNIMENT_METRICS_PORT: integer(0, 0, 65_534).describe(
    'Port at which a process, API or worker, shows /metrics, /health/live and /health/ready to whoever reaches it, without a session; 0: none. The worker of npm start takes the next one.',
  ),
  MUNIMENT_METRICS_HOST: plainName()
    .default('127.0.0.1')
    .describe('Address of that port. Anything but loopback should be on a network of the operator alone.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .trim()
    .refine(isWebServer, 'must begin with http:// or https://, such as http://127.0.0.1:4318')
    .refine((text) => !text.includes('@'), 'must not hold a name or password')
    .optional()
    .describe(
      'Where traces go, as OTLP over HTTP (JSON): the address of a collector, such as http://127.0.0.1:4318, without /v1/traces. Absent: nothing is traced, and nothing for it is loaded.',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .refine(isPairs, 'must be name=value with commas between')
    .optional()
    .describe('Headers that the collector wants, such as its key, as name=value with commas between.'),
  OTEL_SERVICE_NAME: z
    .string()
    .max(200)
    .default('muniment')
    .describe('What traces call this installation (service.name).'),
  OTEL_RESOURCE_ATTRIBUTES: z
    .string()
    .refine((text) => text === '' || isPairs(text), 'must be name=value with commas between')
    .default('')
    .describe(
      'What else traces say of it, as name=value with commas between, such as deployment.environment.name=test.',
    ),
  OTEL_TRACES_SAMPLER_ARG: decimalNumber(0, 1)
    .prefault('1')
    .describe(
      'Which part of the traces is recorded, from 0 to 1. API and workers choose the same ones; a request whose traceparent says that its trace is not recorded is not recorded either.',
    ),
  MUNIMENT_SLOW_STATEMENT_MS: integer(0, 0, 3_600_000).describe(
    'Statements that took so long, in milliseconds, are logged as slow_statement, with the request or the job, without values; 0: none.',
  ),
  MUNIMENT_SLOW_STATEMENT_PLANS: flag('false').describe(
    'Whether such a line has the plan of the statement: EXPLAIN, without running it again, of SELECTs alone and of six a minute at most in a process.',
  ),
} as const;
