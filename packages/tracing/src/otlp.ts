import { AsyncLocalStorage } from "node:async_hooks";
import type { Context, SpanContext } from "@opentelemetry/api";
import * as api from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import * as sdk from "@opentelemetry/sdk-trace-base";
import type { SpanOptions, TracingOptions } from "./index";

export interface Tracer {
  span<Result>(name: string, options: SpanOptions, work: () => Promise<Result>): Promise<Result>;
  record(name: string, options: SpanOptions, beganAt: number): void;
  traceparent(): string | undefined;
  fail(reason: string): void;
  /** Sends the spans that are left. */
  close(): Promise<void>;
}

/** The share of traces that are recorded, of those that begin here. For a caller's trace, the caller decides. */
const SHARE = 0.05;
/** A collector that does not answer holds up the end of the process for at most this long. */
const CLOSE_MS = 2_000;

/** Makes the tracer. Spans are sent in batches. Loading this module takes a fifth of a second. */
export function createTracer({
  endpoint,
  service,
  version,
  onProblem,
}: TracingOptions & { endpoint: string }): Tracer {
  if (onProblem) {
    const silent = () => {};
    const logger = { error: onProblem, warn: onProblem, info: silent, debug: silent, verbose: silent };
    api.diag.setLogger(logger, { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true });
  }
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, "")}/v1/traces` });
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({ "service.name": service, "service.version": version }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(SHARE) }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer("grove");
  const current = new AsyncLocalStorage<Context>();
  const kinds = {
    server: api.SpanKind.SERVER,
    client: api.SpanKind.CLIENT,
    producer: api.SpanKind.PRODUCER,
    consumer: api.SpanKind.CONSUMER,
  };

  const contextOf = (parent: SpanOptions["parent"]): Context => {
    const remote = parse(parent);
    return remote
      ? api.trace.setSpanContext(api.ROOT_CONTEXT, remote)
      : (current.getStore() ?? api.ROOT_CONTEXT);
  };
  const begin = (name: string, { parent, kind, attributes, links }: SpanOptions, startTime?: number) => {
    const context = contextOf(parent);
    const started = tracer.startSpan(
      name,
      {
        kind: kind ? kinds[kind] : api.SpanKind.INTERNAL,
        ...(attributes && { attributes }),
        ...(links && { links: links.map(parse).flatMap((each) => (each ? [{ context: each }] : [])) }),
        ...(startTime !== undefined && { startTime }),
      },
      context,
    );
    return { started, context: api.trace.setSpan(context, started) };
  };
  const spanOfCaller = () => {
    const context = current.getStore();
    return context && api.trace.getSpan(context);
  };

  return {
    async span(name, options, work) {
      const { started, context } = begin(name, options);
      try {
        return await current.run(context, work);
      } catch (error) {
        // Messages may contain user input.
        const message = error instanceof Error ? error.name : "";
        started.setStatus({ code: api.SpanStatusCode.ERROR, message });
        throw error;
      } finally {
        started.end();
      }
    },
    record: (name, options, beganAt) => begin(name, options, beganAt).started.end(),
    traceparent: () => {
      const context = spanOfCaller()?.spanContext();
      return context && format(context);
    },
    fail: (message) => spanOfCaller()?.setStatus({ code: api.SpanStatusCode.ERROR, message }),
    close: () =>
      Promise.race([
        provider.shutdown(),
        new Promise<void>((resolve) => {
          setTimeout(resolve, CLOSE_MS).unref();
        }),
      ]),
  };
}

/** Reads a `traceparent` (W3C Trace Context, level 1). Anything else is ignored, as the standard asks. */
function parse(text: string | null | undefined): SpanContext | undefined {
  const [, traceId = "", spanId = "", flags = ""] =
    /^[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/.exec(text ?? "") ?? [];
  return traceId === ""
    ? undefined
    : { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

const format = ({ traceId, spanId, traceFlags }: SpanContext) =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
