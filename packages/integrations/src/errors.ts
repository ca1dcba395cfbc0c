/**
 * Why a call to a provider failed:
 * - `unauthorized`: the credentials are no longer valid
 * - `forbidden`: the credentials are valid but not sufficient
 * - `not_found`: the resource does not exist, or these credentials may not see it
 * - `refused`: the provider cannot do this
 * - `rate_limited`: try again later, after `retryAfterSeconds`
 * - `unavailable`: the provider did not answer in time, or answered that it is down
 * - `bad_answer`: the response does not match the provider's documentation
 * - `address_refused`: the provider's address must not be reached from here
 */
export type ProviderFailure =
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "refused"
  | "rate_limited"
  | "unavailable"
  | "bad_answer"
  | "address_refused";

interface ProviderErrorOptions {
  /** The provider's message: one line, without secrets. */
  detail?: string;
  retryAfterSeconds?: number;
  /** The HTTP status, of an error that is described by nothing else. */
  status?: number;
  /** For the log. */
  cause?: unknown;
}

/** The only error that a call to a provider throws. */
export class ProviderError extends Error {
  override name = "ProviderError";
  readonly failure: ProviderFailure;
  readonly detail?: string;
  readonly retryAfterSeconds?: number;
  readonly status?: number;

  constructor(
    failure: ProviderFailure,
    { detail, retryAfterSeconds, status, cause }: ProviderErrorOptions = {},
  ) {
    super(detail === undefined ? failure : `${failure}: ${detail}`, { cause });
    this.failure = failure;
    this.detail = detail;
    this.retryAfterSeconds = retryAfterSeconds;
    this.status = status;
  }
}

/** Finds the error of our fetch, which each client wraps in its own way. */
export function providerErrorIn(error: unknown): ProviderError | undefined {
  for (let inner: unknown = error, depth = 0; inner instanceof Error && depth < 10; depth += 1) {
    if (inner instanceof ProviderError) return inner;
    inner = inner.cause ?? (inner as { original?: unknown }).original;
  }
  return undefined;
}

/** The given credentials are not of a kind that the provider accepts. The message states which it accepts. */
export class CredentialsError extends Error {
  override name = "CredentialsError";
}
