// The hook of requests by itself: what it adds where nobody looks, and a client that has gone. (Traces as a whole: test/integration/tracing.test.ts.)
import { expect, test } from 'vitest';
import Fastify from 'fastify';
import type { HeldSpan, SpanStart } from '#store/observing/tracing.ts';
import { setTracer } from '#store/observing/tracing.ts';
import { addObserving } from '../../../../apps/api/plugins/observing.ts';

test('adds no hook where nothing is traced and no statement watched', () => {
  const app = Fastify();
  const hooks: string[] = [];
  const { addHook } = app;
  app.addHook = ((name: string, ...rest: readonly unknown[]) => {
    hooks.push(name);
    return Reflect.apply(addHook, app, [name, ...rest]);
  }) as typeof app.addHook;
  addObserving(app);
  expect(hooks).toEqual([]);

  const begun: SpanStart[] = [];
  setTracer({
    begin: (start): HeldSpan => {
      begun.push(start);
      return {
        traceparent: null,
        set: () => undefined,
        fail: () => undefined,
        run: (work) => work(),
        end: () => undefined,
      };
    },
    current: () => null,
    isKept: () => false,
  });
  addObserving(app);
  expect(hooks).toEqual(['onRequest', 'onResponse']);
  setTracer(null);
  expect(begun).toEqual([]);
});
