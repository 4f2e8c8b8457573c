// A receiver of traces that really listens: reads OTLP over HTTP in JSON, keeps the spans, and answers as told.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { z } from 'zod';

const Value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: z.union([z.number(), z.string()]) }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ arrayValue: z.unknown() }),
]);
const Pairs = z.array(z.object({ key: z.string(), value: Value }));
const SpanSchema = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: Pairs,
  status: z.object({ code: z.number().optional() }),
});
/** ExportTraceServiceRequest of OTLP 1, as far as it is looked at. */
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Pairs }),
      scopeSpans: z.array(z.object({ spans: z.array(SpanSchema) })),
    }),
  ),
});

type Values = { readonly [name: string]: unknown };

/** A span as it came, with its attributes and those of the process that made it; `kind` as in OTLP: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
export type ReceivedSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parent: string;
  readonly name: string;
  readonly kind: number;
  readonly failed: boolean;
  readonly attributes: Values;
  readonly process: Values;
};

/** A receiver. `answer` says the status of the next replies, or null to leave requests without one. */
export type OtlpReceiver = AsyncDisposable & {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Requests so far, however they were answered, and the headers of the last one. */
  readonly requests: number;
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  /** All that came, as text. */
  readonly text: string;
  answer(status: number | null): void;
  /** The span that satisfies this, once it is there. */
  span(is: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan>;
};

const valuesOf = (pairs: z.infer<typeof Pairs>): Values =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]));

function spansOf(text: string): readonly ReceivedSpan[] {
  return Export.parse(JSON.parse(text)).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        traceId: span.traceId,
        spanId: span.spanId,
        parent: span.parentSpanId ?? '',
        name: span.name,
        kind: span.kind,
        failed: span.status.code === 2,
        attributes: valuesOf(span.attributes),
        process: valuesOf(resource.attributes),
      })),
    ),
  );
}

/** Listens on a free port of this machine. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const texts: string[] = [];
  let status: number | null = 200;
  let requests = 0;
  let headers: OtlpReceiver['headers'] = {};
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests += 1;
      headers = request.headers;
      if (status === null) return;
      if (status === 200 && request.url === '/v1/traces') {
        const text = Buffer.concat(chunks).toString();
        texts.push(text);
        spans.push(...spansOf(text));
      }
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    get requests() {
      return requests;
    },
    get headers() {
      return headers;
    },
    get text() {
      return texts.join('\n');
    },
    answer: (next) => {
      status = next;
    },
    span: async (is) => {
      await expect.poll(() => spans.some(is), { message: 'a span has arrived' }).toBe(true);
      const found = spans.find(is);
      if (found === undefined) throw new Error('the span is gone');
      return found;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
