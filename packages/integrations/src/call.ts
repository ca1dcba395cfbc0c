import { ZodError } from "zod";
import { ProviderError } from "./errors";
import { createFetch, type ReadError } from "./network/fetch";
import type { Network } from "./network/network";
import type { CallContext, Provider } from "./provider";

/** Nothing that is asked of a provider takes longer, with all its pages and repetitions. */
export const CALL_MS = 20_000;

export interface CallOptions {
  network: Network;
  provider: Provider;
  apiUrl: string;
  /** Never to be seen in what the provider says. */
  secrets: string[];
  deadlineMs?: number;
  /** Other than the provider's. */
  readError?: ReadError;
}

/**
 * Runs one call, whatever number of requests it takes, within its time.
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
  // Raced as well: a client may wait by itself.
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

/** Clients wrap what their fetch throws, each in its own way. */
function toProviderError(error: unknown): ProviderError {
  for (let inner: unknown = error, depth = 0; inner instanceof Error && depth < 10; depth += 1) {
    if (inner instanceof ProviderError) return inner;
    inner = inner.cause ?? (inner as { original?: unknown }).original;
  }
  const detail = error instanceof ZodError ? "its answer has another form than documented" : undefined;
  return new ProviderError("bad_answer", { detail, cause: error });
}
