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

/** How long a call that waits for nothing may take. */
const TIMEOUT_MS = 15_000;

/** The Grove API, as the owner of one API key sees it. Connects on first use. */
export class Cloud {
  readonly #apiUrl: string;
  readonly #client: Client | undefined;
  #identity: Promise<Identity> | undefined;

  /** @param options without `apiKey` every call fails with AuthenticationRequired */
  constructor({ apiUrl, apiKey }: { apiUrl: string; apiKey: string | undefined }) {
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
      if (timeout.aborted && !context.signal.aborted) throw this.#tooSlow(timeoutMs);
      const told = toToolError(error, { apiUrl: this.#apiUrl, deviceId });
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
  // No caller's signal: others may be waiting for the same answer.
  const [user, organizations] = await Promise.all([
    client.user.get.query(),
    client.organization.list.query(),
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
