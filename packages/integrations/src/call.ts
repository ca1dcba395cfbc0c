import { ZodError } from "zod";
import type { CallContext, Provider } from "./defineProvider";
import { ProviderError, providerErrorIn } from "./errors";
import { createFetch, type ReadError } from "./network/fetch";
import type { Network } from "./network/network";
import { createReadLog } from "./network/readLog";

/** The longest time for a call to a provider, with all its pages and retries; `network/fetch.ts` retries. */
export const PROVIDER_TIMEOUT_MS = 20_000;

export interface CallOptions {
  network: Network;
  provider: Provider;
  apiUrl: string;
  /** Texts to redact from the provider's messages. */
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
  { network, provider, apiUrl, secrets, deadlineMs = PROVIDER_TIMEOUT_MS, readError }: CallOptions,
  work: (context: CallContext) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const options = {
    network,
    deadline: ended.signal,
    secrets,
    readError: readError ?? provider.readError,
  };
  const context = { apiUrl, fetch: createFetch(options), readLog: createReadLog(options) };
  let timer: NodeJS.Timeout | undefined;
  // The deadline of a request is not enough, since a client may also wait between requests.
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new ProviderError("unavailable", { detail: "it did not answer in time" }));
      ended.abort();
    }, deadlineMs);
  });
  try {
    return await Promise.race([work(context), late]);
  } catch (error) {
    throw toProviderError(error);
  } finally {
    clearTimeout(timer);
    ended.abort();
  }
}

function toProviderError(error: unknown): ProviderError {
  const known = providerErrorIn(error);
  if (known) return known;
  const detail = error instanceof ZodError ? "its answer does not match its documentation" : undefined;
  return new ProviderError("bad_answer", { detail, cause: error });
}
