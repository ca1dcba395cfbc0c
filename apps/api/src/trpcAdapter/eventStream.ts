import {
  type AnyTRPCProcedure,
  getTRPCErrorFromUnknown,
  getTRPCErrorShape,
  isTrackedEnvelope,
  type TRPCError,
} from "@trpc/server";
import type { FastifyReply } from "fastify";
import { varyByAccept } from "../lib/varyByAccept";
import { appRouter, procedures } from "../router";
import type { Context } from "../trpc/context";
import type { TrpcRequest } from "./calls";
import { EventWriter, eventOf } from "./eventWriter";

/** A subscription, to be answered with server-sent events. */
export interface PlainStream {
  path: string;
  procedure: AnyTRPCProcedure;
  input: unknown;
  lastEventId: string | undefined;
}

const config = appRouter._def._config;
const { client, maxDurationMs } = config.sse ?? {};

/** tRPC sends the same headers. */
const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
  connection: "keep-alive",
};

/**
 * Returns the subscription that a simple GET request starts. Undefined for any other request: tRPC's own handler takes
 * it, or reports the fault.
 * @see https://trpc.io/docs/rpc
 */
export function plainStream({ params, query, headers }: TrpcRequest): PlainStream | undefined {
  const { input: text, lastEventId: asked, connectionParams, batch } = query;
  const procedure = procedures[params.path];
  if (procedure?._def.type !== "subscription" || headers["trpc-accept"] !== undefined) return undefined;
  const lastEventId = headers["last-event-id"] ?? asked;
  // Left to tRPC: an id that could break out of its line, a batch, and connectionParams. Others mean nothing.
  if (lastEventId !== undefined && !(typeof lastEventId === "string" && /^[\w.:-]+$/.test(lastEventId)))
    return undefined;
  if (
    connectionParams !== undefined ||
    batch !== undefined ||
    (text !== undefined && typeof text !== "string")
  )
    return undefined;
  const input = withLastEventId(text, lastEventId);
  return input === invalid ? undefined : { path: params.path, procedure, input, lastEventId };
}

const invalid = Symbol();

/** The input, with `lastEventId` replaced by the id that the caller reconnects with. */
function withLastEventId(text: string | undefined, lastEventId: string | undefined): unknown {
  try {
    const input: unknown = text === undefined || text === "" ? undefined : JSON.parse(text);
    if (lastEventId === undefined) return input;
    if (input === undefined || input === null) return { lastEventId };
    return typeof input === "object" && !Array.isArray(input) ? { ...input, lastEventId } : input;
  } catch {
    return invalid;
  }
}

/**
 * Writes the subscription's events straight to the connection, in tRPC's format. tRPC's own handler uses five web
 * streams, which take more memory and time than the rest of a stream. An error is the last event, and is reported to
 * `onError`. Returns when the stream has ended, the caller has disconnected, or the longest time for a stream is over.
 * A caller that does not read is cut off.
 */
export async function answerStream(
  { path, procedure, input, lastEventId }: PlainStream,
  ctx: Context,
  reply: FastifyReply,
  onError: (error: TRPCError, path: string) => void,
): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  const finished = new AbortController();
  const { signal } = finished;
  const end = () => finished.abort();
  raw.once("close", end);
  const longest = setTimeout(end, maxDurationMs);
  const writer = new EventWriter(raw, signal, ctx);
  let lastId = lastEventId;
  varyByAccept(reply);
  for (const [name, value] of Object.entries(reply.headers(HEADERS).getHeaders()))
    if (value !== undefined) raw.setHeader(name, value);
  try {
    await writer.send(eventOf("connected", JSON.stringify(client)));
    const call = {
      path,
      getRawInput: async () => input,
      ctx,
      type: procedure._def.type,
      signal,
      batchIndex: 0,
    };
    const events: AsyncIterable<unknown> = await procedure(call);
    for await (const event of events) {
      if (signal.aborted) break;
      if (isTrackedEnvelope(event)) {
        lastId = event[0];
        await writer.send(`data: ${JSON.stringify(event[1])}\nid: ${lastId}\n\n\n`);
      } else if (lastId === undefined) await writer.send(`data: ${JSON.stringify(event)}\n\n\n`);
      // A browser would keep the last id for an event that has none.
      else
        await writer.send(`data: ${JSON.stringify(event)}\nid: \n\n\n${eventOf("restore-id", "", lastId)}`);
    }
    // Not sent when the stream's time limit ends it, so that the caller reconnects.
    if (!signal.aborted) await writer.send(eventOf("return", ""));
  } catch (cause) {
    if (!signal.aborted) {
      const error = getTRPCErrorFromUnknown(cause);
      onError(error, path);
      const shape = getTRPCErrorShape({ config, ctx, error, input, path, type: "subscription" });
      writer.write(eventOf("serialized-error", JSON.stringify(shape)));
    }
  } finally {
    clearTimeout(longest);
    writer.close();
  }
}
