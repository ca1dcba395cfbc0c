import { ZodError } from "zod";
import { ProviderError } from "./errors";
import { createFetch, type ReadError } from "./network/fetch";
import type { Network } from "./network/network";
import type { CallContext, Provider } from "./provider";

/** The longest time for a call to a provider, with all its pages and retries; `network/fetch.ts` retries. */
export const CALL_MS = 20_000;

export interface CallOptions {
  network: Network;
  provider: Provider;
  apiUrl: string;
  /** Redacted from the provider's messages. */
  secrets: string[];
  deadlineMs?: number;
  /** Replaces the provider's own. */
  readError?: ReadError;
}

/**
 * Runs one call, with any number of requests, within its time limit.
 * @throws {ProviderError} and nothing else
 */
export async function runCall<T>(
  { network, provider, apiUrl, secrets, deadlineMs = CALL_MS, readError }: CallOptions,
  work: (context: CallContext) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const fetch = createFetch({
    network,
    deadline: ended.signal,
    secrets,
    readError: readError ?? provider.readError,
  });
  let timer: NodeJS.Timeout | undefined;
  // The deadline alone is not enough, since a client may also wait without a request.
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new ProviderError("unavailable", { detail: "it did not answer in time" }));
      ended.abort();
    }, deadlineMs);
  });
  try {
    return await Promise.race([work({ apiUrl, fetch }), late]);
  } catch (error) {
    throw toProviderError(error);
  } finally {
    clearTimeout(timer);
    ended.abort();
  }
}

/** Finds the error of our fetch, which each client wraps in its own way. */
function toProviderError(error: unknown): ProviderError {
  for (let inner: unknown = error, depth = 0; inner instanceof Error && depth < 10; depth += 1) {
    if (inner instanceof ProviderError) return inner;
    inner = inner.cause ?? (inner as { original?: unknown }).original;
  }
  const detail = error instanceof ZodError ? "its answer does not match its documentation" : undefined;
  return new ProviderError("bad_answer", { detail, cause: error });
}
