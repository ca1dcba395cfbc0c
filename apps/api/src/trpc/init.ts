import { protocol, type Role } from "@grove/schemas";
import { failSpan, span } from "@grove/tracing";
import { initTRPC } from "@trpc/server";
import { describeError, toTrpcError } from "../lib/errors";
import { currentRequestId } from "../lib/requestId";
import type { Context } from "./context";

/** The facts about a procedure that the authorization matrix and the reference read. */
export interface Meta {
  guard:
    | "public"
    | "protected"
    | "session"
    | "admin"
    | "device"
    | Role
    | `${Role} +device`
    | `${Role} (session)`
    | "admin of the organization, or site admin";
  /** The call mostly waits for a device, or is one short batched statement. It is counted, but does not queue. */
  needsNoTurn?: boolean;
  /**
   * The mutation writes so little that a full disk is no reason to refuse it: without heartbeats every device is
   * offline.
   */
  keepsAlive?: boolean;
}

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    errorFormatter: ({ shape, error, ctx, path }) => ({
      ...shape,
      // A malformed request has no context.
      ...describeError(error, ctx?.requestId ?? currentRequestId.getStore() ?? "none", path),
    }),
    sse: {
      maxDurationMs: protocol.streamMs,
      // Less often than a device's heartbeats, so that a device gets only heartbeats.
      ping: { enabled: true, intervalMs: protocol.pingMs },
      // Must exceed the ping.
      client: { reconnectAfterInactivityMs: protocol.clientSilenceMs },
    },
  });

/** Makes a router of procedures and other routers. */
export const { router } = t;

/**
 * The base of every procedure. Turns what is thrown into a typed error, and measures the call. Subtracts its response
 * from the budget of its batch, and counts a stream while it is open.
 */
export const base = t.procedure.use(async ({ ctx, path, type, next }) => {
  const { metrics } = ctx.services;
  const began = performance.now();
  const result = await span(path, { parent: ctx.traceparent, kind: "server" }, async () => {
    const answer = await next();
    if (!answer.ok) failSpan(answer.error.code);
    return answer;
  });
  if (result.ok && ctx.state.measured && type !== "subscription") {
    const characters = JSON.stringify(result.data)?.length ?? 0;
    ctx.state.budget?.take(characters, type);
    try {
      ctx.state.hold?.(characters, type);
    } catch (error) {
      throw toTrpcError(error);
    }
  }
  const answered = (code: string) => metrics?.answered(path, code, (performance.now() - began) / 1_000);
  if (!result.ok) {
    const error = toTrpcError(result.error);
    answered(error.code);
    return { ...result, error };
  }
  answered("OK");
  if (type !== "subscription") return result;
  const { caller = "" } = ctx.state;
  // The data of a subscription is its stream.
  const bounded = counted(result.data as AsyncIterable<unknown>, () =>
    ctx.services.callers.openStream(caller),
  );
  const stream = withTypedErrors(bounded);
  return { ...result, data: metrics ? counted(stream, () => metrics.opened(path)) : stream };
});

/** Counts a stream as open while it is read. */
async function* counted<Event>(
  stream: AsyncIterable<Event>,
  open: () => () => void,
): AsyncGenerator<Event, void> {
  const close = open();
  try {
    yield* stream;
  } finally {
    close();
  }
}

/** A stream may throw long after its procedure has returned. */
async function* withTypedErrors<Event>(stream: AsyncIterable<Event>): AsyncGenerator<Event, void> {
  try {
    yield* stream;
  } catch (error) {
    throw toTrpcError(error);
  }
}
