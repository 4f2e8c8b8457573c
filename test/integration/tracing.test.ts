// Traces over all of the service: an API and a worker, processes of their own, and a receiver that reads what they send.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import type { OtlpReceiver, ReceivedSpan } from '#test/support/otlp-receiver.ts';
import { startOtlpReceiver } from '#test/support/otlp-receiver.ts';
import { startReceiver } from '#test/support/receiver.ts';
import type { Receiver } from '#test/support/receiver.ts';
import { ask, login, startService } from '#test/support/service.ts';
import type { Service } from '#test/support/service.ts';

const password = 'a password for traces';
let database: TestDatabase;
let collector: OtlpReceiver;
let hooks: Receiver;
let api: Service;
let worker: Service;
let session = '';

beforeAll(async () => {
  [database, collector, hooks] = await Promise.all([createDatabase(), startOtlpReceiver(), startReceiver()]);
  const settings = {
    DATABASE_URL: database.url,
    MUNIMENT_ADMIN_PASSWORD: password,
    MUNIMENT_WORKER_THREADS: '1',
    MUNIMENT_WEBHOOK_ALLOW_PRIVATE: 'true',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=sesame',
    OTEL_SERVICE_NAME: 'archive',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  };
  api = await startService(settings, 'apps/api/main.ts');
  worker = await startService(settings, 'apps/worker/main.ts');
  session = await login(api, password);
});
afterAll(async () => {
  await api.stop();
  await worker.stop();
  await hooks[Symbol.asyncDispose]();
  await collector[Symbol.asyncDispose]();
  await database.drop();
});

const send = (path: string, headers: { readonly [name: string]: string }, body?: string): Promise<Response> =>
  fetch(api.url + path, {
    headers: { 'x-service-session': session, ...headers },
    ...(body === undefined ? {} : { method: 'POST', body }),
  });
const own =
  (requestId: string) =>
  (span: ReceivedSpan): boolean =>
    span.attributes['muniment.request_id'] === requestId;
const logged = (service: Service, has: string): { readonly [name: string]: unknown } =>
  JSON.parse(
    service
      .output()
      .split('\n')
      .find((line) => line.includes(has)) ?? '{}',
  );

test('a request, the job that it makes and their statements are one trace, over both processes', async () => {
  const repository = await ask(api, '/repositories', session, { repo_code: 'traced', name: 'Traced' });
  expect(repository.status).toBe(200);
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const imported = await send(
    '/repositories/2/batch_imports?secret=never-told',
    { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, 'x-request-id': 'the-import' },
    JSON.stringify([
      {
        jsonmodel_type: 'subject',
        uri: '/subjects/import-1',
        source: 'local',
        vocabulary: '/vocabularies/1',
        terms: [{ term: 'Unmistakable quay', term_type: 'topical', vocabulary: '/vocabularies/1' }],
      },
    ]),
  );
  expect(await imported.text()).toContain('/subjects/1');

  const request = await collector.span(own('the-import'));
  expect(request).toMatchObject({
    traceId,
    parent: '00f067aa0ba902b7',
    name: 'POST /repositories/:repo_id/batch_imports',
    kind: 2,
    failed: false,
    attributes: {
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'user.id': expect.stringMatching(/^\d+$/),
    },
    process: {
      'service.name': 'archive',
      'deployment.environment.name': 'test',
      'muniment.process': 'api',
    },
  });
  const run = await collector.span((span) => span.traceId === traceId && span.kind === 5);
  const sent = await collector.span((span) => span.traceId === traceId && span.kind === 4);
  expect(sent.process).toMatchObject({ 'muniment.process': 'api' });
  expect(run).toMatchObject({
    name: 'process batch-import',
    parent: sent.spanId,
    process: { 'muniment.process': 'worker' },
    attributes: { 'messaging.message.id': sent.attributes['messaging.message.id'] },
  });
  // What the worker did for it: statements, and work in a thread.
  const statement = await collector.span((span) => span.parent === run.spanId && span.name === 'COMMIT');
  expect(statement).toMatchObject({ traceId, kind: 3, attributes: { 'db.system.name': 'postgresql' } });
  await collector.span((span) => span.traceId === traceId && span.name.startsWith('thread '));
  expect(collector.headers['x-collector-key']).toBe('sesame');
  for (const told of ['never-told', 'Unmistakable', session, password]) expect(collector.text).not.toContain(told);

  // Both logs say which trace their lines belong to.
  await expect.poll(() => logged(api, '"request_id":"the-import"')['trace_id']).toBe(traceId);
  await expect.poll(() => logged(worker, '"event":"job_completed"')['trace_id']).toBe(traceId);
});

test('a traceparent that is none, or too long, begins a trace of its own; one that is not recorded records nothing', async () => {
  const hostile = [
    '00-00000000000000000000000000000000-00f067aa0ba902b7-01',
    'ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    `01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-${'x'.repeat(9000)}`,
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'; DROP TABLE job",
    '-'.repeat(5000),
  ];
  for (const [n, traceparent] of hostile.entries()) {
    const { status } = await send('/repositories', { traceparent, 'x-request-id': `hostile-${n}` });
    expect(status).toBe(200);
    const span = await collector.span(own(`hostile-${n}`));
    expect(span.parent).toBe('');
    expect(span.traceId).not.toMatch(/^(?:0+|4bf92f3577b34da6a3ce929d0e0e4736)$/);
  }
  const silent = { traceparent: '00-1111111111111111111111111111aaaa-00f067aa0ba902b7-00', 'x-request-id': 'silent' };
  expect((await send('/repositories', silent)).status).toBe(200);
  expect((await send('/repositories', { 'x-request-id': 'after' })).status).toBe(200);
  await collector.span(own('after'));
  expect(collector.spans.some(own('silent'))).toBe(false);
});

test('reads at the same moment have their own statements, though PostgreSQL gets one for all', async () => {
  const ids = Array.from({ length: 8 }, (_, n) => `together-${n}`);
  await Promise.all(ids.map((id) => send('/subjects/1', { 'x-request-id': id })));
  for (const id of ids) {
    const request = await collector.span(own(id));
    await collector.span((span) => span.parent === request.spanId && span.attributes['db.system.name'] !== undefined);
  }
});

test('a large body, which a thread answers, is a request within the request', async () => {
  const name = 'Large '.repeat(20_000);
  const reply = await send(
    '/subjects',
    { 'x-request-id': 'large' },
    JSON.stringify({
      source: 'local',
      vocabulary: '/vocabularies/1',
      scope_note: name,
      terms: [{ term: 'Large', term_type: 'topical', vocabulary: '/vocabularies/1' }],
    }),
  );
  expect(reply.status).toBe(200);
  const outer = await collector.span((span) => own('large')(span) && span.process['muniment.process'] === 'api');
  const inner = await collector.span(
    (span) => own('large')(span) && span.process['muniment.process'] === 'large-bodies',
  );
  expect(inner).toMatchObject({ traceId: outer.traceId, parent: outer.spanId });
});

test('a webhook carries the trace of its sending', async () => {
  const made = await ask(api, '/webhooks', session, {
    url: `${hooks.url}?key=hidden-in-the-address`,
    secret: 'a secret of a webhook',
    kinds: ['subject'],
  });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  await ask(api, '/subjects', session, {
    source: 'local',
    vocabulary: '/vocabularies/1',
    terms: [{ term: 'Hooked', term_type: 'topical', vocabulary: '/vocabularies/1' }],
  });
  await hooks.until((received) => received.length > 0);
  const [, traceId, spanId] = String(hooks.received[0]?.headers['traceparent']).split('-');
  const span = await collector.span((one) => one.spanId === spanId);
  expect(span).toMatchObject({
    traceId,
    name: 'POST webhook',
    kind: 3,
    attributes: { 'http.response.status_code': 204 },
  });
  expect(collector.text).not.toContain('hidden-in-the-address');
});

test('the end of a process sends what waits', async () => {
  const other = await startService(
    { DATABASE_URL: database.url, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    'apps/api/main.ts',
  );
  await fetch(`${other.url}/repositories`, { headers: { 'x-request-id': 'the-last' } });
  expect(await other.stop()).toBe(0);
  // Not waited for: all that the process sent has come when it has ended.
  expect(collector.spans.some(own('the-last'))).toBe(true);
});
