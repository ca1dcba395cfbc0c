import type { AppRouter } from "@grove/api/router";
import { backoffMs } from "@grove/signals/backoff";
import { type Operation, retryLink, type TRPCLink } from "@trpc/client";

/** The most attempts for a call. */
const MAX_ATTEMPTS = 5;
const BACKOFF = { baseMs: 1_000, maxMs: 8_000 };

/**
 * The contexts of the calls whose batch had a response that was too large. tRPC keeps a call's context between
 * attempts.
 */
const sentAlone = new WeakSet<Operation["context"]>();

/** Whether the call must be sent alone now. */
export const isToBeAlone = ({ context }: Operation): boolean => sentAlone.has(context);

/**
 * Repeats calls that the API refused before it began them: after a growing pause if the caller or the API
 * has too much in progress, or alone if the response of their batch was too large.
 */
export const retryRefused: TRPCLink<AppRouter> = retryLink({
  retry: ({ op, error, attempts }) => {
    const reason = error.data?.reason;
    if (attempts >= MAX_ATTEMPTS || op.type === "subscription") return false;
    if (reason === "answer_too_large" && !isToBeAlone(op)) {
      sentAlone.add(op.context);
      return true;
    }
    return reason === "too_many_in_progress" || reason === "overloaded";
  },
  retryDelayMs: (attempt) => backoffMs(attempt, BACKOFF),
});
