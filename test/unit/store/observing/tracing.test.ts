// Spans where somebody traces, and nothing of them where nobody does.
import { afterEach, expect, it } from 'vitest';
import { fail } from '#domain/errors.ts';
import { codeOf, currentTracer, inChildSpan, inSpan, setTracer, traceHeaders } from '#store/observing/tracing.ts';
import type { Tracer } from '#store/observing/tracing.ts';

afterEach(() => setTracer(null));

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** A tracer that tells what it was asked for, in order. */
function telling({ isKept = true, isIn = true } = {}): { readonly tracer: Tracer; readonly told: string[] } {
  const told: string[] = [];
  const tracer: Tracer = {
    begin: ({ name }) => {
      told.push(`begin ${name}`);
      return {
        traceparent,
        set: (attributes) => void told.push(`set ${Object.keys(attributes).join()}`),
        fail: (code) => void told.push(`fail ${code}`),
        run: (work) => {
          told.push('run');
          return work();
        },
        end: () => void told.push('end'),
      };
    },
    current: () => (isIn ? { traceId: 't', spanId: 's', traceparent } : null),
    isKept: () => isKept,
  };
  return { tracer, told };
}

const start = { name: 'work', kind: 'internal' } as const;

it('runs work within its span, which ends behind it', async () => {
  const { tracer, told } = telling();
  setTracer(tracer);
  expect(currentTracer()).toBe(tracer);
  const given = await inSpan(start, async (span) => {
    span.set({ count: 1 });
    return span.traceparent;
  });
  expect(given).toBe(traceparent);
  expect(told).toEqual(['begin work', 'run', 'set count', 'end']);
});

it('tells the code of what failed, throws it on, and ends all the same', async () => {
  const { tracer, told } = telling();
  setTracer(tracer);
  const failure = fail('not_found', 'Not here');
  await expect(inSpan(start, () => Promise.reject(failure))).rejects.toBe(failure);
  expect(told).toEqual(['begin work', 'run', 'fail not_found', 'end']);
});

it('makes a span below another only where that is kept', async () => {
  for (const [isKept, expected] of [
    [true, ['begin work', 'run', 'end']],
    [false, []],
  ] as const) {
    const { tracer, told } = telling({ isKept });
    setTracer(tracer);
    expect(await inChildSpan(start, async () => 7)).toBe(7);
    expect(told).toEqual(expected);
  }
});

it('gives the trace on to others while code runs in one', () => {
  setTracer(telling().tracer);
  expect(traceHeaders()).toEqual({ traceparent });
  setTracer(telling({ isIn: false }).tracer);
  expect(traceHeaders()).toEqual({});
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
