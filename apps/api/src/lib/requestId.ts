import { AsyncLocalStorage } from "node:async_hooks";

/** The id of the request that tRPC itself is answering, for errors thrown before there is a context. */
export const currentRequestId = new AsyncLocalStorage<string>();
