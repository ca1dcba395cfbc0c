import { type AnyTRPCProcedure, getTRPCErrorShape, type TRPCError } from "@trpc/server";
import { getHTTPStatusCode } from "@trpc/server/http";
import type { FastifyRequest } from "fastify";
import { toTrpcError } from "../lib/errors";
import { AnswerBudget } from "../limits/answerBudget";
import { appRouter, procedures } from "../router";
import type { Context } from "../trpc/context";

export type TrpcRequest = FastifyRequest<{ Params: { path: string }; Querystring: Record<string, unknown> }>;

interface Call {
  path: string;
  procedure: AnyTRPCProcedure;
  input: unknown;
}

/** Queries or mutations that are answered together, with JSON. */
export interface PlainCalls {
  calls: Call[];
  /** The response to a batch is an array, even for one call. */
  isBatch: boolean;
}

export interface PlainAnswer {
  status: number;
  body: string;
  errors: TRPCError[];
}

const config = appRouter._def._config;

/**
 * Parses the calls of a simple request: known procedures, the right method, JSON in and out, at most `maxCalls`.
 * Nearly every request is simple. Returns undefined for all others: tRPC's own handler takes them, or reports the
 * error.
 * @see https://trpc.io/docs/rpc
 */
export function plainCalls(request: TrpcRequest, maxCalls: number): PlainCalls | undefined {
  const { headers, method, body, query } = request;
  if (query.connectionParams !== undefined || headers["trpc-accept"] !== undefined) return undefined;
  if (headers.accept?.includes("jsonl")) return undefined;
  if (method === "GET" && !(headers["content-type"] ?? JSON_TYPE).startsWith(JSON_TYPE)) return undefined;
  const type = method === "GET" ? "query" : method === "POST" ? "mutation" : undefined;
  // `batch` is given twice: tRPC takes the first.
  if (Array.isArray(query.batch)) return undefined;
  const isBatch = query.batch === "1";
  const paths = isBatch ? request.params.path.split(",") : [request.params.path];
  const input = parsed(method === "GET" ? query.input : body);
  const inputs = isBatch && isRecord(input) ? input : undefined;
  if (paths.length > maxCalls || input === invalid || (isBatch && !inputs)) return undefined;

  const calls: Call[] = [];
  for (const [index, path] of paths.entries()) {
    const procedure = procedures[path];
    if (!procedure || procedure._def.type !== type) return undefined;
    calls.push({ path, procedure, input: inputs ? inputs[index] : input });
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

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Runs the calls concurrently. Each call's error becomes its own response, and is reported to `onError`. */
export async function answerPlainCalls(
  { calls, isBatch }: PlainCalls,
  ctx: Context,
  signal: AbortSignal,
  onError: (error: TRPCError, path: string) => void,
): Promise<PlainAnswer> {
  const errors: TRPCError[] = [];
  const budget = isBatch ? new AnswerBudget() : undefined;
  ctx.state.budget = budget;
  const run = async ({ path, procedure, input }: Call, batchIndex: number): Promise<Answer> => {
    const { type } = procedure._def;
    try {
      const getRawInput = async () => input;
      const data = await procedure({ path, getRawInput, ctx, type, signal, batchIndex });
      // Serialized immediately, so that no rows are held until the other calls have read theirs.
      const text = JSON.stringify({ result: { data } });
      budget?.take(text.length, type);
      ctx.state.hold?.(text.length, type);
      return { text, shape: answered };
    } catch (cause) {
      const error = toTrpcError(cause);
      errors.push(error);
      onError(error, path);
      const shape = { error: getTRPCErrorShape({ config, ctx, error, input, path, type }) };
      return { text: JSON.stringify(shape), shape };
    }
  };
  const answers = await Promise.all(calls.map(run));
  const texts = answers.map(({ text }) => text).join(",");
  return {
    status: errors.length === 0 ? 200 : getHTTPStatusCode(answers.map(({ shape }) => shape)),
    body: isBatch ? `[${texts}]` : texts,
    errors,
  };
}

interface Answer {
  text: string;
  /** The part of the response that determines its HTTP status. */
  shape: Exclude<Parameters<typeof getHTTPStatusCode>[0], unknown[]>;
}

const answered = { result: { data: null } };
