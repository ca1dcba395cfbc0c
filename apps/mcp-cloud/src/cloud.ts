import { type Client, createClient } from "@grove/client";
import { AuthenticationRequired, type ToolContext, ToolError } from "@grove/mcp";
import { toToolError } from "./apiErrors";

/** Whom the API key stands for. */
export interface Identity {
  readonly userId: string;
  readonly organizationId: string;
}

export type CloudContext = ToolContext<Cloud>;

export interface CallOptions {
  readonly timeoutMs?: number;
  /** The device the call is about, to be named when it fails. */
  readonly deviceId?: string;
}

/** How long a request that waits for nothing may take. */
const TIMEOUT_MS = 10_000;

export interface Waits {
  /** When a tool answers although its command is still going. */
  readonly deadlineMs: number;
  /** Nearly every command is done by then: one request, and no progress to report. */
  readonly firstMs: number;
  /** How often the client hears of one that is not. */
  readonly nextMs: number;
}

/** With the request that finds the device before it, everything is over before MCP clients give up, after 60 s. */
export const defaultWaits: Waits = { deadlineMs: 45_000, firstMs: 2_000, nextMs: 5_000 };

export interface CloudOptions {
  readonly apiUrl: string;
  /** Without one every call fails with AuthenticationRequired. */
  readonly apiKey: string | undefined;
  readonly waits?: Waits;
}

/** The Grove API, as the owner of one API key sees it. Connects on first use. */
export class Cloud {
  readonly waits: Waits;
  readonly #apiUrl: string;
  readonly #client: Client | undefined;
  #identity: Promise<Identity> | undefined;

  constructor({ apiUrl, apiKey, waits = defaultWaits }: CloudOptions) {
    this.waits = waits;
    this.#apiUrl = apiUrl;
    if (apiKey !== undefined) this.#client = createClient({ apiUrl, token: apiKey });
  }

  /**
   * Makes requests in the key's organization. Throws AuthenticationRequired for no or an unknown key, and a ToolError
   * for whatever else the API refuses, cannot do in time, or is not there to do.
   */
  async call<T>(
    context: CloudContext,
    request: (client: Client, who: Identity, signal: AbortSignal) => Promise<T>,
    { timeoutMs = TIMEOUT_MS, deviceId }: CallOptions = {},
  ): Promise<T> {
    if (!this.#client) throw new AuthenticationRequired();
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([context.signal, timeout]);
    try {
      const who = await unlessAborted(this.#identify(this.#client), signal);
      return await request(this.#client, who, signal);
    } catch (error) {
      const tooSlow = timeout.aborted && !context.signal.aborted && !(error instanceof ToolError);
      const told = tooSlow
        ? this.#tooSlow(timeoutMs)
        : toToolError(error, { apiUrl: this.#apiUrl, deviceId });
      // A key may be replaced by one of another organization while we run.
      if (told instanceof AuthenticationRequired) this.#identity = undefined;
      throw told;
    }
  }

  /** Asked once, also by concurrent first calls; asked again after a failure. */
  #identify(client: Client): Promise<Identity> {
    this.#identity ??= resolveIdentity(client).catch((error: unknown) => {
      this.#identity = undefined;
      throw error;
    });
    return this.#identity;
  }

  #tooSlow(timeoutMs: number): ToolError {
    return new ToolError(
      "api_timeout",
      `The Grove API at ${this.#apiUrl} did not answer within ${timeoutMs / 1000} s`,
      "Try again; look at the API's log if it stays so.",
    );
  }
}

async function resolveIdentity(client: Client): Promise<Identity> {
  // No caller's signal: others may be waiting for the same answer. But not for ever.
  const options = { signal: AbortSignal.timeout(TIMEOUT_MS) };
  const [user, organizations] = await Promise.all([
    client.user.get.query(undefined, options),
    client.organization.list.query(undefined, options),
  ]);
  const [organization, ...others] = organizations;
  if (!organization || others.length > 0)
    throw new ToolError(
      "no_api_key",
      `API_KEY stands for ${organizations.length} organizations, not for one`,
      "Set API_KEY to an API key (grk_…), which belongs to one organization.",
    );
  return { userId: user.id, organizationId: organization.id };
}

/** The promise's outcome, or a rejection as soon as the signal is aborted. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
