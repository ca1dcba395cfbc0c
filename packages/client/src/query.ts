import type { AppRouter } from "@grove/api/router";
import type { QueryClient } from "@tanstack/react-query";
import { createTRPCOptionsProxy, type TRPCOptionsProxy } from "@trpc/tanstack-react-query";
import type { Client } from "./index";

/** Options for React Query's hooks, by router and name: `queries.task.list.queryOptions({ … })`. */
export type Queries = TRPCOptionsProxy<AppRouter>;

/** Makes the options for every procedure. The query client's cache holds the responses. */
export const createQueries = (parts: { client: Client; queryClient: QueryClient }): Queries =>
  createTRPCOptionsProxy<AppRouter>(parts);
