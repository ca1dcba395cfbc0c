import { setMaxListeners } from "node:events";

/** For commands that last as long as their session: the connection rejects them when it ends. */
export const sessionLifetime = new AbortController().signal;
setMaxListeners(0, sessionLifetime);
