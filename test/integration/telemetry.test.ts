// What tracing costs whom: a collector that is away, slow or refuses, and processes that are not traced. (What traces say: tracing.test.ts.)
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { pino } from 'pino';
import { readConfig } from '#domain/config.ts';
import { observed } from '#store/observing/statements.ts';
import { currentTracer, inChildSpan, inSpan, traceHeaders } from '#store/observing/tracing.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { startOtlpReceiver } from '#test/support/otlp-receiver.ts';
import { amount } from '#test/support/long.ts';
import type { OtlpReceiver } from '#test/support/otlp-receiver.ts';
import { freePort } from '#test/support/proxies.ts';
import { projectRoot, startService } from '#test/support/service.ts';
import { startTelemetry } from '../../apps/telemetry.ts';

let database: TestDatabase;
let receiver: OtlpReceiver;
let telemetry: AsyncDisposable | undefined;
const logged: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });

beforeAll(async () => {
  database = await createDatabase();
  receiver = await startOtlpReceiver();
});
afterEach(async () => telemetry?.[Symbol.asyncDispose]());
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
  await database.drop();
});

const trace = (url: string, more: { readonly [name: string]: string } = {}): void => {
  logged.length = 0;
  telemetry = startTelemetry(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: url, ...more }), 'test', log);
};
/** Makes so many spans at once, as a busy service does, and gives what their work gave. */
const busy = (count: number): Promise<readonly number[]> =>
  Promise.all(
    Array.from({ length: count }, (_, n) =>
      inSpan({ name: 'work', kind: 'internal', attributes: { text: 'x'.repeat(10_000) } }, async () => n),
    ),
  );

test('a collector that does not answer is waited for by nobody, and what waits is bounded', async () => {
  receiver.answer(null);
  trace(receiver.url);
  // More than may wait.
  const spans = amount(5500, 20_000);
  expect(await busy(spans)).toHaveLength(spans);
  // The first batches are under way, and hang until the exporter gives them up; then what else waits is taken.
  await expect.poll(() => receiver.requests).toBeGreaterThan(0);
  receiver.answer(200);
  expect(await busy(10)).toHaveLength(10);
  await expect.poll(() => receiver.spans.length).toBeGreaterThan(0);
  await telemetry?.[Symbol.asyncDispose]();
  expect(receiver.spans.length).toBeGreaterThan(0);
  expect(receiver.spans.length).toBeLessThanOrEqual(4096 + 2 * 512);
  expect(String(receiver.spans[0]?.attributes['text'])).toHaveLength(2048);
});

test('a collector that refuses, or is not there, is told in the log, once', async () => {
  receiver.answer(400);
  trace(receiver.url);
  // More than a batch.
  await busy(amount(1100, 3000));
  await expect.poll(() => logged.filter((line) => line.includes('traces_not_sent')).length).toBe(1);
  await telemetry?.[Symbol.asyncDispose]();
  receiver.answer(200);

  trace(`http://127.0.0.1:${await freePort()}`);
  expect(await busy(10)).toHaveLength(10);
  await telemetry?.[Symbol.asyncDispose]();
  expect(logged.filter((line) => line.includes('traces_not_sent')).length).toBeGreaterThan(0);
});

test('a part of the traces is recorded, of all processes the same; a failure is told by its code', async () => {
  const before = receiver.spans.length;
  trace(receiver.url, { OTEL_TRACES_SAMPLER_ARG: '0' });
  await busy(50);
  await telemetry?.[Symbol.asyncDispose]();
  expect(receiver.spans.length).toBe(before);

  trace(receiver.url);
  const failing = inSpan({ name: 'failing', kind: 'internal' }, async () => {
    throw new TypeError('what somebody typed');
  });
  await expect(failing).rejects.toThrow('what somebody typed');
  await telemetry?.[Symbol.asyncDispose]();
  expect(receiver.spans.find(({ name }) => name === 'failing')).toMatchObject({
    failed: true,
    attributes: { 'error.type': 'TypeError' },
  });
  expect(receiver.text).not.toContain('what somebody typed');
});

test('below a span that is kept there are others, and below one that is not there are none', async () => {
  const both = (): Promise<readonly (string | undefined)[]> =>
    inSpan({ name: 'around', kind: 'internal' }, async () => [
      traceHeaders().traceparent,
      await inChildSpan({ name: 'below', kind: 'internal' }, async () => traceHeaders().traceparent),
      await observed({ text: 'SELECT 1', values: [] }, async () => traceHeaders().traceparent),
    ]);
  trace(receiver.url);
  const [around = '', below = ''] = await both();
  await telemetry?.[Symbol.asyncDispose]();
  expect(below.slice(0, 36)).toBe(around.slice(0, 36));
  expect(below).not.toBe(around);
  const own = receiver.spans.filter(({ traceId }) => around.includes(traceId));
  expect(own.map(({ name }) => name).sort()).toEqual(['SELECT', 'around', 'below']);

  trace(receiver.url, { OTEL_TRACES_SAMPLER_ARG: '0' });
  const none = await both();
  await telemetry?.[Symbol.asyncDispose]();
  expect(none[0]).toMatch(/-00$/);
  expect(new Set(none).size).toBe(1);
});

test('where nothing is traced, work is done as it is', async () => {
  await telemetry?.[Symbol.asyncDispose]();
  expect(currentTracer()).toBeNull();
  expect(await inSpan({ name: 'none', kind: 'internal' }, async (span) => span.traceparent)).toBeNull();
  expect(await inChildSpan({ name: 'none', kind: 'internal' }, async () => 5)).toBe(5);
  expect(traceHeaders()).toEqual({});
});

/** Has a process tell which modules of OpenTelemetry it loads. */
const tellModules = `--import=data:text/javascript,${encodeURIComponent(
  "import { registerHooks } from 'node:module'; registerHooks({ load: (url, context, next) => { const [, name] = /@opentelemetry.([a-z-]+)/.exec(url) ?? []; if (name) process.stderr.write(`loads ${name}\\n`); return next(url, context); } });",
)}`;
const loadedBy = (output: string): readonly string[] => [
  ...new Set([...output.matchAll(/^loads ([a-z-]+)$/gm)].map(([, name = '']) => name)),
];

test('a process that is not traced loads nothing for it; slow statements are told in its log with route and request', async () => {
  const settings = { DATABASE_URL: database.url, MUNIMENT_ADMIN_PASSWORD: 'admin', NODE_OPTIONS: tellModules };
  const watching = { MUNIMENT_SLOW_STATEMENT_MS: '1', MUNIMENT_SLOW_STATEMENT_PLANS: 'true', MUNIMENT_POOL_SIZE: '2' };
  await using plain = await startService({ ...settings, ...watching }, 'apps/api/main.ts');
  const slow = (): any => {
    const line = plain
      .output()
      .split('\n')
      .find((each) => each.includes('slow_statement') && each.includes('"a-request"'));
    return line === undefined ? undefined : JSON.parse(line);
  };
  // Many at once wait for the few connections, which counts: on a machine that is idle a statement alone may be quicker than that.
  const harvest = (): Promise<Response> =>
    fetch(`${plain.url}/oai?verb=ListRecords&metadataPrefix=oai_dc`, { headers: { 'x-request-id': 'a-request' } });
  await expect
    .poll(async () => {
      await Promise.all(Array.from({ length: 20 }, harvest));
      return slow();
    })
    .toMatchObject({
      level: 40,
      method: 'GET',
      route: '/oai',
      ms: expect.any(Number),
      statement: expect.any(String),
    });
  // Packages of others load the interface, which does nothing by itself.
  expect(loadedBy(plain.output()).filter((name) => name !== 'api')).toEqual([]);

  // What tells of modules does tell of them; that a service which is traced loads them is seen by what it sends (tracing.test.ts).
  const traced = spawnSync(process.execPath, [tellModules, join(projectRoot, 'apps/telemetry.ts')], {
    encoding: 'utf8',
  });
  expect(loadedBy(traced.stderr)).toEqual(expect.arrayContaining(['sdk-trace', 'exporter-trace-otlp-http']));
});
