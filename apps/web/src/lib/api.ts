import { createClient, errorData } from "@grove/client";
import { type AuthOptions, createAuthClient } from "@grove/client/auth";
import { createQueries } from "@grove/client/query";
import { MutationCache, QueryCache, QueryClient, queryOptions } from "@tanstack/react-query";
import { storedToken, storeToken } from "./browser/sessionToken";
import { withConnectionLimit } from "./commands/connectionLimit";

const options = { apiUrl: location.origin, token: storedToken };

const UNAUTHORIZED = 401;

/** Aborts the current session's requests. */
let requests = new AbortController();
/** Resolves when the latest sign-out has ended. */
let signingOut = Promise.resolve();

/** The client without a cache, for optimistic mutations and streams. */
export const client = createClient({
  ...options,
  fetch: async (input, init) => {
    const { signal } = requests;
    try {
      const response = await withConnectionLimit(input, {
        ...init,
        signal: init?.signal ? AbortSignal.any([signal, init.signal]) : signal,
      });
      // Covers calls that bypass the query cache, such as streams.
      if (response.status === UNAUTHORIZED) sessionEnded.dispatchEvent(new Event("end"));
      return response;
    } catch (error) {
      // The user is signing out. Rejecting only afterwards keeps the error off the page.
      if (signal.aborted) await signingOut;
      throw error;
    }
  },
});
export const auth = createAuthClient(options);

/** Dispatches `end` when the session has ended while the console is open. The router listens. */
export const sessionEnded = new EventTarget();

/** Dispatches `end` when the API rejects a call because the user is not a member of the organization. */
export const membershipEnded = new EventTarget();

function onError(error: Error): void {
  const data = errorData(error);
  if (data?.code === "UNAUTHORIZED") sessionEnded.dispatchEvent(new Event("end"));
  if (data?.reason === "not_a_member") membershipEnded.dispatchEvent(new Event("end"));
}

/** Whether a retry may succeed: the API rejects a 4xx again. */
const isTransient = (error: Error) => {
  const status = errorData(error)?.httpStatus;
  return status === undefined || status >= 500;
};

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: { staleTime: 10_000, retry: (failures, error) => failures < 2 && isTransient(error) },
  },
});

/** Options for React Query's hooks: `useQuery(queries.device.list.queryOptions({ organizationId }))`. */
export const queries = createQueries({ client, queryClient });

interface AuthState extends AuthOptions {
  /** Whether the session ended without a sign-out. The sign-in page shows that. */
  hasExpired?: boolean;
}

/** The sign-in options of this server, and the current session: null if the user is not signed in. */
export const authQuery = queryOptions({
  queryKey: ["auth"],
  queryFn: (): Promise<AuthState> => auth.options(),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Stores the token of a new session in local mode, and clears the data of an earlier session. */
export function beginSession(token: string): void {
  queryClient.clear();
  storeToken(token);
}

/** The key of the sign-out mutation in the account menu. */
export const signOutKey = ["signOut"];

/**
 * Signs out. Aborts requests in flight and holds new ones until navigation, so that pages show no errors. If signing
 * out fails, refetches all queries.
 * @param leave navigates to a page that needs no session
 */
export function signOut(leave: () => Promise<void>): Promise<void> {
  requests.abort();
  const signedOut = signOutAndLeave(leave);
  signingOut = signedOut.catch(() => undefined);
  return signedOut;
}

async function signOutAndLeave(leave: () => Promise<void>): Promise<void> {
  try {
    await auth.signOut();
    await endSession(leave);
  } catch (error) {
    void queryClient.invalidateQueries();
    throw error;
  } finally {
    requests = new AbortController();
  }
}

/**
 * Clears the session and its cached data.
 * @param leave navigates to a page that needs no session. Until then, the pages keep their data and refetch nothing.
 * @param hasExpired whether the session ended without a sign-out
 */
export async function endSession(leave: () => Promise<void>, hasExpired = false): Promise<void> {
  storeToken(undefined);
  queryClient.setQueryData(authQuery.queryKey, (state) => state && { ...state, session: null, hasExpired });
  await leave();
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== authQuery.queryKey[0] });
}
