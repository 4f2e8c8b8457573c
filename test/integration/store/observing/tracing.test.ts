// Spans where somebody traces, as a receiver has them in the end, and nothing of them where nobody does.
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { fail } from '#domain/errors.ts';
import { codeOf, currentTracer, inChildSpan, inSpan, traceHeaders } from '#store/observing/tracing.ts';
import type { ReceivedSpan } from '#test/support/otlp-receiver.ts';
import { startOtlpReceiver } from '#test/support/otlp-receiver.ts';
import { startTelemetry } from '../../../../apps/telemetry.ts';

const start = { name: 'work', kind: 'internal' } as const;

/** Does the work while this process is traced, and gives the spans that were sent. */
async function sentOf(work: () => Promise<void>, ratio = 1): Promise<readonly ReceivedSpan[]> {
  await using receiver = await startOtlpReceiver();
  const config = {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: undefined,
    OTEL_SERVICE_NAME: 'archive',
    OTEL_RESOURCE_ATTRIBUTES: '',
    OTEL_TRACES_SAMPLER_ARG: ratio,
  };
  // What waits is sent before it has ended.
  await using telemetry = startTelemetry(config, 'test', pino({ level: 'silent' }));
  await work();
  await telemetry[Symbol.asyncDispose]();
  return [...receiver.spans];
}

it('runs work within its span, which ends behind it', async () => {
  let given: string | null = null;
  let within: unknown;
  const spans = await sentOf(async () => {
    expect(currentTracer()).not.toBeNull();
    given = await inSpan(start, async (span) => {
      span.set({ count: 1 });
      within = currentTracer()?.current()?.traceparent;
      return span.traceparent;
    });
    expect(currentTracer()?.current()).toBeNull();
  });
  expect(spans).toEqual([
    expect.objectContaining({ name: 'work', kind: 1, parent: '', failed: false, attributes: { count: 1 } }),
  ]);
  expect([given, within]).toEqual(Array.from({ length: 2 }, () => `00-${spans[0]?.traceId}-${spans[0]?.spanId}-01`));
});

it('tells the code of what failed, throws it on, and ends all the same', async () => {
  const failure = fail('not_found', 'Not here');
  const spans = await sentOf(() => expect(inSpan(start, () => Promise.reject(failure))).rejects.toBe(failure));
  expect(spans).toEqual([
    expect.objectContaining({ name: 'work', failed: true, attributes: { 'error.type': 'not_found' } }),
  ]);
});

it('makes a span below another only where that is kept', async () => {
  const child = { name: 'child', kind: 'client' } as const;
  const nested = async (): Promise<void> => {
    expect(await inChildSpan(child, async () => 7)).toBe(7);
    expect(await inSpan(start, () => inChildSpan(child, async () => currentTracer()?.isKept()))).toBeTypeOf('boolean');
  };
  const kept = await sentOf(nested);
  const [below, above] = kept;
  expect(kept.map(({ name, kind }) => [name, kind])).toEqual([
    ['child', 3],
    ['work', 1],
  ]);
  expect([below?.parent, below?.traceId]).toEqual([above?.spanId, above?.traceId]);
  expect(await sentOf(nested, 0)).toEqual([]);
});

it('gives the trace on to others while code runs in one', async () => {
  await sentOf(async () => {
    expect(traceHeaders()).toEqual({});
    await inSpan(start, async ({ traceparent }) => {
      expect(traceparent).not.toBeNull();
      expect(traceHeaders()).toEqual({ traceparent });
    });
  });
});

it('does the work alone where nobody traces', async () => {
  expect(currentTracer()).toBeNull();
  const given = await inSpan(start, async (span) => {
    span.set({ count: 1 });
    span.fail('unknown');
    return span.traceparent;
  });
  expect(given).toBeNull();
  expect(await inChildSpan(start, async () => 7)).toBe(7);
  expect(traceHeaders()).toEqual({});
});

it('knows an error by its code, or by its class', () => {
  const errors = [fail('conflict', 'No'), Object.assign(new Error('no'), { code: 'EPIPE' }), new TypeError('no')];
  expect(errors.map(codeOf)).toEqual(['conflict', 'EPIPE', 'TypeError']);
  expect([Object.assign(new Error('no'), { code: 7 }), 'a text', null].map(codeOf)).toEqual([
    'Error',
    'unknown',
    'unknown',
  ]);
});
