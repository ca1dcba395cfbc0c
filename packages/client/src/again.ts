import type { AppRouter } from "@grove/api/router";
import { type Operation, retryLink, type TRPCLink } from "@trpc/client";

/** A call is made at most this often. */
const MOST_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 500;

const alone = Symbol();

/** Whether the answer of the call's batch was too large, so that the call must now be sent alone. */
export const isToBeAlone = ({ context }: Operation): boolean => Reflect.get(context, alone) === true;

/**
 * Repeats calls that the API refused before it began them: after a growing pause if the caller or the API
 * has too much in progress, or alone if the answer of their batch was too large.
 */
export const againWhenRefused: TRPCLink<AppRouter> = retryLink({
  retry: ({ op, error, attempts }) => {
    const reason = error.data?.reason;
    if (attempts >= MOST_ATTEMPTS || op.type === "subscription") return false;
    if (reason === "answer_too_large" && !isToBeAlone(op)) {
      Reflect.set(op.context, alone, true);
      return true;
    }
    return reason === "too_many_in_progress" || reason === "overloaded";
  },
  // Random, so that calls that were refused together do not return together.
  retryDelayMs: (attempt) => FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random()),
});
