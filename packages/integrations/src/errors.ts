/**
 * Why a call to a provider failed:
 * - `unauthorized`: the credentials are no longer valid
 * - `forbidden`: the credentials are valid but not sufficient
 * - `not_found`: the resource does not exist, or these credentials may not see it
 * - `refused`: the provider cannot do this
 * - `rate_limited`: try again later, after `retryAfterSeconds`
 * - `unavailable`: the provider did not answer in time, or answered that it is down
 * - `bad_answer`: the answer does not match the provider's documentation
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
  /** For the log. */
  cause?: unknown;
}

/** The one error of a call to a provider. */
export class ProviderError extends Error {
  override name = "ProviderError";
  readonly failure: ProviderFailure;
  readonly detail?: string;
  readonly retryAfterSeconds?: number;

  constructor(failure: ProviderFailure, { detail, retryAfterSeconds, cause }: ProviderErrorOptions = {}) {
    super(detail === undefined ? failure : `${failure}: ${detail}`, { cause });
    this.failure = failure;
    this.detail = detail;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The given credentials are not of a kind that the provider accepts. The message states which it accepts. */
export class CredentialsError extends Error {
  override name = "CredentialsError";
}
