import type { AppRouter } from "@grove/api/router";
import { type ErrorData, MAX_BATCHED_CALLS } from "@grove/schemas";
import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  type Operation,
  splitLink,
  type TRPCClient,
} from "@trpc/client";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { lazyLink } from "./lazyLink";
import { isToBeAlone, retryRefused } from "./retryRefused";

export { allOf, idOf } from "./pages";
export type { AppRouter, ErrorData };
/** The input of each procedure, by router and name. */
export type Inputs = inferRouterInputs<AppRouter>;
/** The response of each procedure, by router and name. */
export type Outputs = inferRouterOutputs<AppRouter>;

export type Client = TRPCClient<AppRouter>;

export interface ClientOptions {
  /** Where the API is, without `/api/trpc`: `http://127.0.0.1:3000`, `https://example.com/grove`. */
  apiUrl: string;
  /**
   * A session token, an API key or a device key, or a function that returns the current one for each request. Without
   * one, a browser sends its cookie.
   */
  token?: string | (() => string | undefined) | undefined;
  fetch?: typeof fetch | undefined;
  /** The device that makes these calls, if one does. A proxy can then route all its calls to one process. */
  deviceId?: string | undefined;
  /** The span that a request belongs to (W3C's traceparent), for callers that trace. */
  traceparent?: (() => string | undefined) | undefined;
}

/**
 * Names the device that a request is from or for. A proxy that routes by it (`X-Grove-Device`) brings a device's stream
 * and the callers of its commands to one process, which then need no announcement.
 */
export const DEVICE_HEADER = "x-grove-device";

const MAX_URL_LENGTH = 8_000;

/**
 * Calls that may wait for a device, a provider or a long computation are sent alone, since all other responses of their
 * batch would wait with them.
 */
const isAlone = (op: Operation) => slow.test(op.path) || isToBeAlone(op);
const slow =
  /^(agent\.(execute|getCommand|getSession|waitForSessions|answerRequest|releaseRequest|sendInput|resizeSession|stopSession)$|analytics\.(?!track)|integration\.(codehost|tracker|messenger)\.)/;

/** Nothing else fits into a header unchecked. */
const isId = (value: unknown): value is string => typeof value === "string" && /^[\da-f-]{36}$/.test(value);

/**
 * The typed client of the Grove API: stock tRPC with batching and subscriptions.
 *
 * Calls of the same tick are sent as one batch. A call that the API refuses before it begins it, because the caller or
 * the API has too much in progress (`too_many_in_progress`, `overloaded`), is repeated up to four times within eight
 * seconds.
 *
 * Errors are tRPC's `TRPCClientError`s; {@link errorData} returns their code, reason and field errors.
 */
export function createClient({
  apiUrl,
  token,
  fetch: fetcher = fetch,
  deviceId,
  traceparent = () => undefined,
}: ClientOptions): Client {
  const url = `${apiUrl.replace(/\/+$/, "")}/api/trpc`;
  const current = () => (typeof token === "function" ? token() : token);
  const headers = (): Record<string, string> => {
    const secret = current();
    const trace = traceparent();
    return {
      ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
      ...(deviceId !== undefined && { [DEVICE_HEADER]: deviceId }),
      ...(trace !== undefined && { traceparent: trace }),
    };
  };
  const headersOf = ({ op }: { op: Operation }) => {
    const target = (op.input as { deviceId?: unknown } | undefined)?.deviceId;
    return isId(target) ? { [DEVICE_HEADER]: target, ...headers() } : headers();
  };
  // Without a token, a browser sends its cookie, even from a page of another origin (the API's WEB_ORIGINS).
  const request: typeof fetch = (input, init) =>
    fetcher(input, current() === undefined ? { ...init, credentials: "include" } : init);
  return createTRPCClient<AppRouter>({
    links: [
      retryRefused,
      splitLink({
        condition: (op) => op.type === "subscription",
        true: lazyLink(async () =>
          (await import("./subscriptions")).subscriptionLink({ url, headers, fetch: request }),
        ),
        false: splitLink({
          condition: isAlone,
          true: httpLink({ url, headers: headersOf, fetch: request }),
          false: httpBatchLink({
            url,
            headers,
            fetch: request,
            maxItems: MAX_BATCHED_CALLS,
            maxURLLength: MAX_URL_LENGTH,
          }),
        }),
      }),
    ],
  });
}

/**
 * The API's data about a failed call; undefined if the API could not be reached or something else answered in its
 * place. It recognizes an error by its shape, so the error may come from another copy of tRPC, such as that of a
 * package for React.
 */
export function errorData(error: unknown): ErrorData | undefined {
  if (!(error instanceof Error) || error.name !== "TRPCClientError") return undefined;
  const { data } = error as { data?: Partial<ErrorData> | null };
  return typeof data?.code === "string" ? (data as ErrorData) : undefined;
}
