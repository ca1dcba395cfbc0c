import { ZodError } from "zod";
import { type Credentials, secretsIn } from "./credentials";
import { ProviderError } from "./errors";
import { createFetch } from "./network/fetch";
import type { Network } from "./network/network";
import type { CallContext, Provider } from "./provider";

/** Nothing that is asked of a provider takes longer, with all its pages and repetitions. */
export const CALL_MS = 20_000;

export interface CallOptions {
  network: Network;
  provider: Provider;
  apiUrl: string;
  /** Those that it is made with, if any. */
  credentials?: Credentials;
  deadlineMs?: number;
}

/**
 * Runs one call, whatever number of requests it takes, within its time.
 * @throws {ProviderError} and nothing else
 */
export async function runCall<T>(
  { network, provider, apiUrl, credentials, deadlineMs = CALL_MS }: CallOptions,
  work: (context: CallContext) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const fetch = createFetch({
    network,
    deadline: ended.signal,
    secrets: credentials === undefined ? [] : secretsIn(credentials),
    readError: provider.readError,
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
