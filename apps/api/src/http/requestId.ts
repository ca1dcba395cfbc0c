import { AsyncLocalStorage } from "node:async_hooks";

/** The id of the request that tRPC itself is answering, for what it refuses before there is a context. */
export const currentRequestId = new AsyncLocalStorage<string>();
