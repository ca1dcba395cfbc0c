import type { ApiContext } from "./apiSession";

/*
 * A client aborts a call after some time (`timeMs`). Of that time, the last 5 s are reserved for the response. A
 * command on a device is waited for until 10 s before these; they are left for the last read of it.
 */

/** How long before the client's timeout all requests of a call end. */
export const RESERVE_MS = 5_000;
/** How long before the client's timeout an unfinished command is returned as `pending`. */
const PENDING_MS = RESERVE_MS + 10_000;

/** How long a tool waits for its command on the device. */
export interface Waits {
  /** Time from the call's start after which a tool answers even if its command is still running. */
  readonly deadlineMs: number;
  /** Nearly every command ends within this time, with a single request and no progress to report. */
  readonly firstMs: number;
  /** The interval of progress reports after that. */
  readonly nextMs: number;
}

const defaultWaits = { firstMs: 2_000, nextMs: 5_000 };

export const waitsOf = ({ app, timeMs }: ApiContext): Waits => ({
  deadlineMs: timeMs - PENDING_MS,
  ...defaultWaits,
  ...app.waits,
});

/** The maximum wait of one call. MCP clients often abort a call after 60 s. */
export const MAX_WAIT_MS = 45_000;
/** The maximum wait for a command. The API alone responds, so the reserve is smaller. */
export const MAX_COMMAND_WAIT_MS = 50_000;

/** Time for the response to arrive after the wait. */
const MARGIN_MS = 5_000;

/** The timeout of a request that waits this long. */
export const timeoutFor = (waitMs: number): number => waitMs + MARGIN_MS;
