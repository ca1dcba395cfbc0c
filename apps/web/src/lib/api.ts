import { createClient, errorData } from "@grove/client";
import { createAuthClient } from "@grove/client/auth";
import { createQueries } from "@grove/client/query";
import { MutationCache, QueryCache, QueryClient, queryOptions } from "@tanstack/react-query";
import { withConnectionLimit } from "./connectionLimit";
import { storedToken, storeToken } from "./sessionToken";

const options = { apiUrl: location.origin, token: storedToken };

const UNAUTHORIZED = 401;

/** Ends the calls of the session that goes on. */
let calls = new AbortController();
/** Resolves when the sign-out that was begun last has ended. */
let leaving = Promise.resolve();

/** Calls without a cache around them: changes that a page shows before the answer, and streams. */
export const client = createClient({
  ...options,
  fetch: async (input, init) => {
    const { signal } = calls;
    try {
      const response = await withConnectionLimit(input, {
        ...init,
        signal: init?.signal ? AbortSignal.any([signal, init.signal]) : signal,
      });
      // Also for streams and for changes without a cache around them.
      if (response.status === UNAUTHORIZED) sessionEnded.dispatchEvent(new Event("end"));
      return response;
    } catch (error) {
      // The page would show the failure, and it is about to be left.
      if (signal.aborted) await leaving;
      throw error;
    }
  },
});
export const auth = createAuthClient(options);

/** The session has ended while the console was open. The router listens. */
export const sessionEnded = new EventTarget();

/** The API has refused a call because the person is not a member of the organization. The router listens. */
export const membershipEnded = new EventTarget();

function onError(error: Error): void {
  const data = errorData(error);
  if (data?.code === "UNAUTHORIZED") sessionEnded.dispatchEvent(new Event("end"));
  if (data?.reason === "not_a_member") membershipEnded.dispatchEvent(new Event("end"));
}

/** A refusal stays a refusal. Other failures may pass. */
const mayPass = (error: Error) => {
  const status = errorData(error)?.httpStatus;
  return status === undefined || status >= 500;
};

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: { staleTime: 10_000, retry: (failures, error) => failures < 2 && mayPass(error) },
  },
});

/** Options for React Query's hooks: `useQuery(queries.device.list.queryOptions({ organizationId }))`. */
export const queries = createQueries({ client, queryClient });

/** The ways to sign in here, and who is signed in: `session` is null if nobody is. */
export const authQuery = queryOptions({
  queryKey: ["auth"],
  queryFn: () => auth.options(),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Keeps the token of a session that has just begun in local mode. Nothing of an earlier session stays. */
export function beginSession(token: string): void {
  queryClient.clear();
  storeToken(token);
}

/** The key of the mutation by which a person signs out of a room. */
export const signOutKey = ["signOut"];

/**
 * Signs out. The calls in progress end before, since the API would refuse them, and none begins until the page is left.
 * That is no failure to the page, unless it stays since the sign-out failed: then everything is asked for again.
 * @param leave opens a page that needs nobody
 */
export function signOut(leave: () => Promise<void>): Promise<void> {
  calls.abort();
  const left = signOutAndLeave(leave);
  leaving = left.catch(() => undefined);
  return left;
}

async function signOutAndLeave(leave: () => Promise<void>): Promise<void> {
  try {
    await auth.signOut();
    await endSession(leave);
  } catch (error) {
    void queryClient.invalidateQueries();
    throw error;
  } finally {
    calls = new AbortController();
  }
}

/**
 * Forgets everything about the person who was signed in.
 * @param leave opens a page that needs nobody; until then, the pages of that person keep their data and ask nothing
 */
export async function endSession(leave: () => Promise<void>): Promise<void> {
  storeToken(undefined);
  queryClient.setQueryData(authQuery.queryKey, (known) => known && { ...known, session: null });
  await leave();
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== authQuery.queryKey[0] });
}
