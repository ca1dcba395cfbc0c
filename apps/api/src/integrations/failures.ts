import { type ErrorCode, type ErrorOptions, GroveError } from "@grove/auth";
import type { ProviderError, ProviderFailure } from "@grove/integrations";

interface Meaning {
  code: ErrorCode;
  reason: NonNullable<ErrorOptions["reason"]>;
  /** Follows the provider's name. */
  problem: string;
  next: string;
}

const meanings: Record<ProviderFailure, Meaning> = {
  unauthorized: {
    code: "PRECONDITION_FAILED",
    reason: "reconnect_required",
    problem: "no longer accepts the credentials of this connection",
    next: "An admin of the organization must connect the same account again.",
  },
  forbidden: {
    code: "FORBIDDEN",
    reason: "provider_forbidden",
    problem: "does not allow this with the credentials of this connection",
    next: "Connect the account again with credentials that allow it.",
  },
  not_found: {
    code: "NOT_FOUND",
    reason: "provider_not_found",
    problem: "has no such item, or does not show it to this connection",
    next: "Check the ids and names, and the permissions of the connection's account.",
  },
  refused: {
    code: "BAD_REQUEST",
    reason: "provider_refused",
    problem: "refused this",
    next: "Change the request.",
  },
  rate_limited: {
    code: "TOO_MANY_REQUESTS",
    reason: "rate_limited",
    problem: "accepts no more requests from this connection for now",
    next: "Try again later.",
  },
  unavailable: {
    code: "BAD_GATEWAY",
    reason: "provider_unavailable",
    problem: "did not answer as expected",
    next: "Try again later.",
  },
  bad_answer: {
    code: "BAD_GATEWAY",
    reason: "provider_unavailable",
    problem: "did not answer as expected",
    next: "Check the connection's address, or try again later.",
  },
  address_refused: {
    code: "BAD_REQUEST",
    reason: "base_url_refused",
    problem: "cannot be reached at that address",
    next: "Give a public https address. For a private one, the operator must add its host to PRIVATE_PROVIDER_HOSTS.",
  },
};

/** Returns the error for a provider's failure: its meaning here, the provider's message, and the next step. */
export function toGroveError(title: string, error: ProviderError): GroveError {
  const { code, reason, problem, next } = meanings[error.failure];
  const quoted = error.detail === undefined ? "" : ` ("${error.detail}")`;
  const { retryAfterSeconds } = error;
  return new GroveError(code, `${title} ${problem}${quoted}. ${next}`, {
    reason,
    details: retryAfterSeconds === undefined ? undefined : { retryAfterSeconds },
    cause: error,
  });
}
