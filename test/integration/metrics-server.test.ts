// The port for numbers and health by itself.
import { afterEach, expect, it } from 'vitest';
import { Registry } from 'prom-client';
import type { MetricsServer } from '../../apps/metrics-server.ts';
import { openMetricsPort } from '../../apps/metrics-server.ts';
import { countWork } from '../../apps/worker/running/worker-metrics.ts';
import { freePort } from '#test/support/proxies.ts';

let open: MetricsServer | null = null;
afterEach(async () => {
  await open?.[Symbol.asyncDispose]();
  open = null;
});

it('is not opened where no port is configured', async () => {
  expect(await openMetricsPort('127.0.0.1', 0, { metrics: async () => '', isReady: async () => true })).toBeNull();
});

it('says that it is not ready where the check fails or says no, and 500 where numbers cannot be read', async () => {
  let isReady: () => Promise<boolean> = async () => false;
  open = await openMetricsPort('127.0.0.1', await freePort(), {
    metrics: async () => {
      throw new Error('broken');
    },
    isReady: () => isReady(),
  });
  const status = async (path: string): Promise<number> => (await fetch(`${open?.url}${path}`)).status;
  expect(await status('/health/ready')).toBe(503);
  isReady = async () => {
    throw new Error('away');
  };
  expect(await status('/health/ready?verbose')).toBe(503);
  isReady = async () => true;
  expect([await status('/health/ready'), await status('/health/live'), await status('/metrics')]).toEqual([
    200, 200, 500,
  ]);
});

it('refuses the start where the port is taken', async () => {
  const shown = { metrics: async () => '', isReady: async () => true };
  const port = await freePort();
  open = await openMetricsPort('127.0.0.1', port, shown);
  await expect(openMetricsPort('127.0.0.1', port, shown)).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

it('counts runs of jobs and failed rounds by what a worker logs, and passes it on', async () => {
  const registry = new Registry();
  const logged: string[] = [];
  const log = countWork(registry, (event) => void logged.push(event));
  log('job_completed', { job: 1, type: 'report', ms: 1500 });
  log('job_ended', { job: 2, type: 'report', why: 'canceled' });
  log('indexer_failed', { err: new Error('disk') });
  log('worker_ready', {});
  expect(logged).toEqual(['job_completed', 'job_ended', 'indexer_failed', 'worker_ready']);
  const text = await registry.metrics();
  expect(text.match(/^muniment_(?:job_runs|worker_failures)_total.*$/gm)).toEqual([
    'muniment_job_runs_total{type="report",outcome="completed"} 1',
    'muniment_job_runs_total{type="report",outcome="canceled"} 1',
    'muniment_worker_failures_total{event="indexer_failed"} 1',
  ]);
  expect(text).toMatch(/^muniment_job_duration_seconds_bucket\{le="5",type="report"\} 1$/m);
  expect(text).toMatch(/^muniment_job_duration_seconds_sum\{type="report"\} 1\.5$/m);
});
