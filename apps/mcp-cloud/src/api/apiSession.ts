import { type Client, createClient } from "@grove/client";
import { AuthenticationRequired, type ToolContext, ToolError } from "@grove/mcp";
import { credentialPrefixes } from "@grove/schemas";
import { timeoutSignal, untilAborted } from "@grove/signals";
import { traceparent } from "@grove/tracing";
import { isTransient, isUnreachable, NotGrove, toToolError } from "./apiErrors";
import { retryCall } from "./retryCall";
import { RESERVE_MS, type Waits } from "./waits";

/** The user and the organization that the API key belongs to. */
export interface Identity {
  readonly userId: string;
  readonly organizationId: string;
}

export type ApiContext = ToolContext<ApiSession>;

export interface CallOptions {
  readonly timeoutMs?: number;
  /** The device that the call is about, named if it fails. */
  readonly deviceId?: string;
  /** For a mutation: how to check whether it was done if its response is lost. */
  readonly afterLostAnswer?: string;
  /** The request must not be repeated. */
  readonly onceOnly?: boolean;
}

/** Timeout of a request that does not wait for a device. */
const API_TIMEOUT_MS = 10_000;
/** A late request still gets this much time. */
const MIN_MS = 1_000;

export interface ApiSessionOptions {
  readonly apiUrl: string;
  /** Without a key, every call fails with AuthenticationRequired. */
  readonly apiKey: string | undefined;
  /** Replaces some of {@link Waits}, for tests. */
  readonly waits?: Partial<Waits>;
  /** The workspace in whose agent session this server was started. */
  readonly workspaceId?: string | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/** Calls the Grove API with one API key. Connects on first use. */
export class ApiSession {
  /** For `waitsOf`, which has the defaults. */
  readonly waits: Partial<Waits>;
  /** The workspace that tools use when none is given. */
  readonly workspaceId: string | undefined;
  readonly #apiUrl: string;
  readonly #client: Client | undefined;
  #identity: Promise<Identity> | undefined;

  constructor({ apiUrl, apiKey, waits = {}, workspaceId, fetch }: ApiSessionOptions) {
    this.waits = waits;
    this.workspaceId = workspaceId;
    this.#apiUrl = apiUrl;
    // A key that no header can hold is certainly invalid.
    if (apiKey !== undefined && /^[\x21-\x7e]+$/.test(apiKey))
      this.#client = createClient({ apiUrl, token: apiKey, fetch: fetchGrove(fetch), traceparent });
  }

  /** @throws {AuthenticationRequired} without a key, or for an unknown one */
  async admit(context: ApiContext): Promise<void> {
    await this.call(context, async () => {});
  }

  /**
   * Makes requests in the key's organization, and repeats them when a connection breaks, unless `onceOnly`.
   * @throws {AuthenticationRequired} without a key, or for an unknown one
   * @throws {ToolError} if the API refuses, times out or cannot be reached
   */
  async call<T>(
    context: ApiContext,
    request: (client: Client, identity: Identity, signal: AbortSignal) => Promise<T>,
    options: CallOptions = {},
  ): Promise<T> {
    const client = this.#client;
    if (!client) throw new AuthenticationRequired();
    const identify = (signal: AbortSignal) => untilAborted(this.#identify(client), signal);
    const timeoutMs = Math.min(options.timeoutMs ?? API_TIMEOUT_MS, API_TIMEOUT_MS);
    const identity = await this.#attempt(context, identify, { timeoutMs });
    return this.#attempt(context, (signal) => request(client, identity, signal), options);
  }

  async #attempt<T>(
    context: ApiContext,
    work: (signal: AbortSignal) => Promise<T>,
    options: CallOptions,
  ): Promise<T> {
    const { timeoutMs = API_TIMEOUT_MS, deviceId, afterLostAnswer, onceOnly = false } = options;
    const remainingMs = context.timeMs - RESERVE_MS - (performance.now() - context.startedAt);
    const limitMs = Math.round(Math.min(timeoutMs, Math.max(MIN_MS, remainingMs)));
    const timeout = timeoutSignal(limitMs);
    const signal = AbortSignal.any([context.signal, timeout]);
    let mayBeDone = false;
    try {
      return await retryCall(() => work(signal), {
        signal,
        onceOnly,
        onRetry: (error) => {
          mayBeDone = true;
          context.log.warn("the API did not answer; retrying", { error: String(error) });
        },
      });
    } catch (error) {
      if (context.signal.aborted) throw error;
      const tooSlow = timeout.aborted && !(error instanceof ToolError);
      const isLost = tooSlow || (mayBeDone && isUnreachable(error)) || isTransient(error);
      if (afterLostAnswer !== undefined && isLost) throw answerLost(afterLostAnswer);
      const failure = tooSlow
        ? this.#timeoutError(limitMs)
        : toToolError(error, { apiUrl: this.#apiUrl, deviceId });
      // While we run, the key may be replaced by one of another organization.
      if (failure instanceof AuthenticationRequired) this.#identity = undefined;
      throw failure;
    }
  }

  /** Looked up once, even for concurrent first calls. Looked up again after a failure. */
  #identify(client: Client): Promise<Identity> {
    this.#identity ??= resolveIdentity(client).catch((error: unknown) => {
      this.#identity = undefined;
      throw error;
    });
    return this.#identity;
  }

  #timeoutError(timeoutMs: number): ToolError {
    return new ToolError(
      "api_timeout",
      `The Grove API at ${this.#apiUrl} did not answer a request within ${timeoutMs / 1000} s`,
      "Try again; if the error persists, check the API's log.",
    );
  }
}

const answerLost = (nextStep: string) =>
  new ToolError(
    "outcome_unknown",
    "The API became unreachable before it answered; the request may or may not have been carried out",
    nextStep,
  );

/**
 * A fetch for the API only: a response that is neither JSON nor an event stream comes from another server at its
 * address.
 */
const fetchGrove =
  (fetcher = fetch): typeof fetch =>
  async (input, init) => {
    const response = await fetcher(input, init);
    const type = response.headers.get("content-type") ?? "nothing";
    if (type.includes("json") || type.includes("event-stream")) return response;
    await response.body?.cancel();
    throw new NotGrove(response.status, type);
  };

async function resolveIdentity(client: Client): Promise<Identity> {
  // Not the caller's signal: others may be waiting for the same response.
  const options = { signal: timeoutSignal(API_TIMEOUT_MS) };
  const [user, organizations] = await Promise.all([
    client.user.get.query(undefined, options),
    client.organization.list.query(undefined, options),
  ]);
  const [organization, ...others] = organizations;
  if (!organization || others.length > 0)
    throw new ToolError(
      "no_api_key",
      `API_KEY belongs to ${organizations.length} organizations, not to one`,
      `Set API_KEY to an API key (${credentialPrefixes.api_key}…), which belongs to one organization.`,
    );
  return { userId: user.id, organizationId: organization.id };
}
