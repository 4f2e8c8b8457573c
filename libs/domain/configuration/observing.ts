// The variables that say how processes are watched.
import { z } from 'zod';
import { integer } from './values.ts';

/** The variables by name; config.ts has them among the others. */
export const observingVariables = {
  MUNIMENT_METRICS_PORT: integer(0, 0, 65_534).describe(
    'Port at which a process, API or worker, shows /metrics, /health/live and /health/ready to whoever reaches it, without a session; 0: none. The worker of npm start takes the next one.',
  ),
  MUNIMENT_METRICS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address of that port. Anything but loopback should be on a network of the operator alone.'),
} as const;
