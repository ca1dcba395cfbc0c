import type { Tracer } from "./otlp";

/** The facts of a span. */
export interface SpanOptions {
  /** The `traceparent` of the span that this one continues; by default the one that the caller runs in. */
  parent?: string | null | undefined;
  kind?: "server" | "client" | "producer" | "consumer";
  attributes?: Record<string, string | number | boolean | undefined>;
  /** The `traceparent`s of other spans that this work is for. */
  links?: readonly (string | null | undefined)[];
}

export interface TracingOptions {
  /** OTEL_EXPORTER_OTLP_ENDPOINT: the collector's address, without /v1/traces. */
  endpoint: string | undefined;
  /** The program's name at the collector. */
  service: string;
  version: string;
  /** Receives the reason when spans could not be sent. */
  onProblem?(message: string): void;
}

/** The tracer of this process, if there is a collector. */
let tracer: Tracer | undefined;

/** Starts tracing if an endpoint is set. Otherwise the library is not loaded. */
export async function startTracing(options: TracingOptions): Promise<void> {
  const { endpoint } = options;
  if (endpoint === undefined) return;
  const { createTracer } = await import("./otlp");
  tracer = createTracer({ ...options, endpoint });
}

/** Ends tracing, and sends the spans that are left. Call it before the process ends. */
export async function endTracing(): Promise<void> {
  const ending = tracer;
  tracer = undefined;
  await ending?.close();
}

/** Does some work within a span. Without tracing it only does the work. */
export const span = <Result>(
  name: string,
  options: SpanOptions,
  work: () => Promise<Result>,
): Promise<Result> => (tracer ? tracer.span(name, options, work) : work());

/** Records a span that has just ended, from when it began, in milliseconds since 1970. */
export const record = (name: string, options: SpanOptions, beganAt: number): void =>
  tracer?.record(name, options, beganAt);

/** The `traceparent` of the span that the caller runs in; undefined without one. */
export const traceparent = (): string | undefined => tracer?.traceparent();

/** Fields for a log line that is written within a span, or about the request with this `traceparent`. */
export function traceFields(of?: string): { trace_id?: string } {
  const id = (tracer && (of ?? tracer.traceparent()))?.split("-")[1];
  return id === undefined ? {} : { trace_id: id };
}

/** Marks the span that the caller runs in as failed. */
export const failSpan = (reason: string): void => tracer?.fail(reason);
