import type { AppRouter } from "@grove/api/router";
import { httpSubscriptionLink, type TRPCLink } from "@trpc/client";
import { EventSource } from "eventsource";

export interface SubscriptionOptions {
  url: string;
  headers: () => Record<string, string>;
  fetch: typeof fetch;
}

/** Sends subscriptions as server-sent events, with the credential in their header. */
export const subscriptionLink = ({ url, headers, fetch }: SubscriptionOptions): TRPCLink<AppRouter> =>
  httpSubscriptionLink({
    url,
    EventSource,
    eventSourceOptions: () => ({
      // EventSource itself cannot send a header.
      fetch: (input, init) => fetch(input as string, { ...init, headers: { ...init.headers, ...headers() } }),
    }),
  });
