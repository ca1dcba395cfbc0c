import type { AppRouter } from "@grove/api/router";
import { type Operation, retryLink, type TRPCLink } from "@trpc/client";

/** How often a call is made at most. */
const MOST_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 500;

const alone = Symbol();

/** Whether a call was refused as one too many for its batch, and is now to be sent without others. */
export const isToBeAlone = ({ context }: Operation): boolean => Reflect.get(context, alone) === true;

/**
 * Makes a call again that the API refused before it was begun, for what else is in progress: after a pause that grows when
 * its caller has too much in progress, and by itself when the answers of its batch were too large together.
 */
export const againWhenRefused: TRPCLink<AppRouter> = retryLink({
  retry: ({ op, error, attempts }) => {
    const reason = error.data?.reason;
    if (attempts >= MOST_ATTEMPTS || op.type === "subscription") return false;
    if (reason === "answer_too_large" && !isToBeAlone(op)) {
      Reflect.set(op.context, alone, true);
      return true;
    }
    return reason === "too_many_in_progress";
  },
  // Many that were refused together are not to come back together.
  retryDelayMs: (attempt) => FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random()),
});
