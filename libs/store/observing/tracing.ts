// Spans of what this process does, for whoever traces it. Nothing here knows OpenTelemetry: a process that is traced sets the tracer at its
// start (apps/telemetry.ts), and in all others each of these functions is one comparison (docs/decisions/0043).

/** What an attribute of a span is called, by OpenTelemetry's semantic conventions, and its value: never a secret, a name of a person or what a record says. */
type Attributes = { readonly [name: string]: string | number | boolean };

/** What a span is begun with. `parent`: the traceparent (W3C Trace Context) that it goes on from; without one that is valid it is a child of the current span, or the first of a trace. */
export type SpanStart = {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  readonly attributes?: Attributes;
  readonly parent?: string | null | undefined;
};

/** A span under way. */
export type OpenSpan = {
  /** Its traceparent, for what goes on from it elsewhere; null where nothing is traced. */
  readonly traceparent: string | null;
  set(attributes: Attributes): void;
  /** Says that what it stands for failed, by a code and never by a message, which may quote what was sent. */
  fail(code: string): void;
};

/** A span that is ended by hand; `run` runs work within it. */
export type HeldSpan = OpenSpan & { run<T>(work: () => T): T; end(): void };

/** Who makes spans. */
export type Tracer = {
  begin(start: SpanStart): HeldSpan;
  /** Of the span that code runs in now. */
  current(): { readonly traceId: string; readonly spanId: string; readonly traceparent: string } | null;
  /** Whether code runs in a span that is kept: of one that is not, neither is what is below it, and need not be made. */
  isKept(): boolean;
};

let tracer: Tracer | null = null;

/** Says who makes the spans of this process; null: nobody. */
export function setTracer(next: Tracer | null): void {
  tracer = next;
}

/** Who makes spans, or null where nothing is traced. */
export const currentTracer = (): Tracer | null => tracer;

const noSpan: OpenSpan = { traceparent: null, set: () => undefined, fail: () => undefined };

/** Runs work in a span, which ends with it; its failure is the span's, by code. */
export async function inSpan<T>(start: SpanStart, work: (span: OpenSpan) => Promise<T>): Promise<T> {
  if (tracer === null) return work(noSpan);
  const span = tracer.begin(start);
  try {
    return await span.run(() => work(span));
  } catch (error) {
    span.fail(codeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** The same where there is a span around it already, and it is kept: what nobody asked for, such as looking for work, makes no traces. */
export async function inChildSpan<T>(start: SpanStart, work: () => Promise<T>): Promise<T> {
  return tracer === null || !tracer.isKept() ? work() : inSpan(start, work);
}

/** The headers that tell others which trace their work belongs to: `traceparent`, or none. */
export function traceHeaders(): { readonly traceparent?: string } {
  const current = tracer?.current() ?? null;
  return current === null ? {} : { traceparent: current.traceparent };
}

/** The code of an error, or the name of its class. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
