// Traces by OpenTelemetry, sent as OTLP to where OTEL_EXPORTER_OTLP_ENDPOINT says (docs/decisions/0043). Loaded by those processes alone whose
// configuration names a receiver. Spans are made where the service does its work (libs/store/observing/tracing.ts), not by changing modules.
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, SpanContext } from '@opentelemetry/api';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, isSpanContextValid, trace } from '@opentelemetry/api';
import { parseKeyPairsIntoRecord, parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { ATTR_ERROR_TYPE, ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';
import type { Logger } from 'pino';
import type { Config } from '#domain/config.ts';
import type { HeldSpan, SpanStart, Tracer } from '#store/observing/tracing.ts';
import { setTracer } from '#store/observing/tracing.ts';

/** What of a process's configuration says how it is traced. */
export type TelemetryConfig = Pick<
  Config,
  | 'OTEL_EXPORTER_OTLP_ENDPOINT'
  | 'OTEL_EXPORTER_OTLP_HEADERS'
  | 'OTEL_SERVICE_NAME'
  | 'OTEL_RESOURCE_ATTRIBUTES'
  | 'OTEL_TRACES_SAMPLER_ARG'
>;

/** What waits to be sent, at most: with attributes of `mostValue` characters some tens of megabytes. What comes on top of it is dropped. */
const mostSpans = 4096;
const mostValue = 2048;
/** How long the end of a process waits for the last spans to be taken. */
const lastSendMs = 3000;
const complaintEveryMs = 60_000;

/** Makes the spans of this process and sends them, until it is disposed; what waits then is sent. A receiver that is away, slow or refuses costs nobody anything: spans are dropped, and the log says so once a minute. */
export function startTelemetry(config: TelemetryConfig, processName: string, log: Logger): AsyncDisposable {
  setGlobalErrorHandler(complaining(log));
  const { OTEL_TRACES_SAMPLER_ARG: ratio } = config;
  const byRatio = new TraceIdRatioBasedSampler(ratio);
  const headers = parseKeyPairsIntoRecord(config.OTEL_EXPORTER_OTLP_HEADERS ?? '');
  const exporter = new OTLPTraceExporter({
    url: `${(config.OTEL_EXPORTER_OTLP_ENDPOINT ?? '').replace(/\/+$/, '')}/v1/traces`,
    headers,
    concurrencyLimit: 2,
  });
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        ...parseKeyPairsIntoRecord(config.OTEL_RESOURCE_ATTRIBUTES),
        [ATTR_SERVICE_NAME]: config.OTEL_SERVICE_NAME,
        'process.pid': process.pid,
        'muniment.process': processName,
      }),
    ),
    // By the number of the trace, so that API and worker choose the same ones. A caller who asks for a trace gets no more of them than others.
    sampler: new ParentBasedSampler({ root: byRatio, remoteParentSampled: byRatio }),
    spanLimits: {
      attributeValueLengthLimit: mostValue,
      attributeCountLimit: 32,
      eventCountLimit: 0,
      linkCountLimit: 4,
    },
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: mostSpans, scheduledDelayMillis: 1000 })],
  });
  setTracer(tracerOf(provider));
  return {
    [Symbol.asyncDispose]: async () => {
      setTracer(null);
      const sent = provider.shutdown().then(
        () => true,
        () => false,
      );
      const isSent = await Promise.race([sent, sleep(lastSendMs, false, { ref: false })]);
      if (!isSent) log.warn({ event: 'traces_not_sent' }, 'the last spans of this process were not taken');
    },
  };
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

function tracerOf(provider: TracerProvider): Tracer {
  const tracer = provider.getTracer('muniment');
  // A context of our own and none that is set for all modules of the process: packages that look for one would begin to make spans of theirs.
  const contexts = new AsyncLocalStorage<Context>();
  const begin = ({ name, kind, attributes = {}, parent }: SpanStart): HeldSpan => {
    const context = remoteContext(parent) ?? contexts.getStore() ?? ROOT_CONTEXT;
    const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, context);
    const own = trace.setSpan(context, span);
    return {
      get traceparent() {
        return traceparentOf(span.spanContext());
      },
      set: (more) => void span.setAttributes(more),
      fail: (code) => {
        span.setAttribute(ATTR_ERROR_TYPE, code);
        span.setStatus({ code: SpanStatusCode.ERROR });
      },
      run: (work) => contexts.run(own, work),
      end: () => span.end(),
    };
  };
  const around = (): SpanContext | undefined => {
    const context = contexts.getStore();
    return context === undefined ? undefined : trace.getSpanContext(context);
  };
  return {
    begin,
    isKept: () => ((around()?.traceFlags ?? TraceFlags.NONE) & TraceFlags.SAMPLED) !== 0,
    current: () => {
      const span = around();
      if (span === undefined) return null;
      return { traceId: span.traceId, spanId: span.spanId, traceparent: traceparentOf(span) };
    },
  };
}

/** What a traceparent leads to; null where it is none. Its sender is anybody. */
function remoteContext(traceparent: string | null | undefined): Context | null {
  if (traceparent === null || traceparent === undefined || traceparent.length > 200) return null;
  const parsed = parseTraceParent(traceparent);
  if (parsed === null || !isSpanContextValid(parsed)) return null;
  return trace.setSpanContext(ROOT_CONTEXT, { ...parsed, isRemote: true });
}

const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${(traceFlags & 1).toString(16).padStart(2, '0')}`;

/** A handler of what the exporter could not do, which writes to the log once in a while. */
function complaining(log: Logger): (error: unknown) => void {
  let quietUntil = -Infinity;
  return (error) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + complaintEveryMs;
    log.warn({ event: 'traces_not_sent', reason: error instanceof Error ? error.message.slice(0, 300) : 'unknown' });
  };
}
