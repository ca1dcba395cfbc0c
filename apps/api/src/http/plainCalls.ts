import {
  type AnyTRPCProcedure,
  getTRPCErrorFromUnknown,
  getTRPCErrorShape,
  type TRPCError,
} from "@trpc/server";
import { getHTTPStatusCode } from "@trpc/server/http";
import type { FastifyRequest } from "fastify";
import type { Context } from "../context";
import { appRouter, procedures } from "../router";

type TrpcRequest = FastifyRequest<{ Params: { path: string } }>;

interface Call {
  path: string;
  procedure: AnyTRPCProcedure;
  input: unknown;
}

/** Queries or mutations that are answered together, with JSON. */
export interface PlainCalls {
  calls: Call[];
  /** An answer of a batch is an array, also of one. */
  isBatch: boolean;
}

export interface PlainAnswer {
  status: number;
  body: string;
  errors: TRPCError[];
}

const config = appRouter._def._config;

/**
 * The calls of a request of the plainest kind, which is nearly every request: known procedures of the right method, JSON
 * in and out, at most `mostCalls`. Undefined for any other; tRPC's own handling takes it, or says what is wrong with it.
 * @see https://trpc.io/docs/rpc
 */
export function plainCalls(request: TrpcRequest, mostCalls: number): PlainCalls | undefined {
  const query = request.query as Record<string, unknown>;
  const { headers, method, body } = request;
  if (query.connectionParams !== undefined || headers["trpc-accept"] !== undefined) return undefined;
  if (headers.accept?.includes("jsonl")) return undefined;
  if (method === "GET" && !(headers["content-type"] ?? JSON_TYPE).startsWith(JSON_TYPE)) return undefined;
  const type = method === "GET" ? "query" : method === "POST" ? "mutation" : undefined;
  const isBatch = query.batch === "1";
  const paths = isBatch ? request.params.path.split(",") : [request.params.path];
  const input = parsed(method === "GET" ? query.input : body);
  if (paths.length > mostCalls || input === invalid || (isBatch && !isRecord(input))) return undefined;

  const calls: Call[] = [];
  for (const [index, path] of paths.entries()) {
    const procedure = procedures[path];
    if (!procedure || procedure._def.type !== type) return undefined;
    calls.push({ path, procedure, input: isBatch ? (input as Record<number, unknown>)[index] : input });
  }
  return { calls, isBatch };
}

const JSON_TYPE = "application/json";

const invalid = Symbol();

function parsed(text: unknown): unknown {
  if (text === undefined || text === "") return undefined;
  if (typeof text !== "string") return invalid;
  try {
    return JSON.parse(text);
  } catch {
    return invalid;
  }
}

const isRecord = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Runs the calls beside one another. An error of one is that one's answer, and is told to `onError`. */
export async function answerPlainCalls(
  { calls, isBatch }: PlainCalls,
  ctx: Context,
  signal: AbortSignal,
  onError: (error: TRPCError, path: string) => void,
): Promise<PlainAnswer> {
  const errors: TRPCError[] = [];
  const run = async ({ path, procedure, input }: Call, batchIndex: number) => {
    const { type } = procedure._def;
    try {
      const getRawInput = async () => input;
      return { result: { data: await procedure({ path, getRawInput, ctx, type, signal, batchIndex }) } };
    } catch (cause) {
      const error = getTRPCErrorFromUnknown(cause);
      errors.push(error);
      onError(error, path);
      return { error: getTRPCErrorShape({ config, ctx, error, input, path, type }) };
    }
  };
  const answers = await Promise.all(calls.map(run));
  const answer = isBatch ? answers : answers[0];
  return {
    status: errors.length === 0 ? 200 : getHTTPStatusCode(answers),
    body: JSON.stringify(answer),
    errors,
  };
}
