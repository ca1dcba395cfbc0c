/**
 * Why a provider did not do what it was asked:
 * - `unauthorized`: the credentials are no longer good
 * - `forbidden`: they are, and do not suffice
 * - `not_found`: it has no such thing, or does not show it to them
 * - `refused`: what was asked for is not possible there
 * - `rate_limited`: later, see `retryAfterSeconds`
 * - `unavailable`: it did not answer, or not in time, or that it cannot now
 * - `bad_answer`: it answered what its documentation does not know
 * - `address_refused`: it is at an address that must not be reached from here
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
  /** What the provider says about it: one line, without secrets. */
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

/** What was given to connect is not what the provider takes. The message says what it does. */
export class CredentialsError extends Error {
  override name = "CredentialsError";
}
