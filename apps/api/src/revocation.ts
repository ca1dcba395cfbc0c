import { GroveError, type Principal } from "@grove/auth";
import type { Context } from "./context";

/** Node's longest timer is 24 days; nothing waits an hour. */
const LONGEST_TIMER_MS = 3_600_000;
const SHORTEST_TIMER_MS = 100;
const RETRY_MS = 250;

/**
 * What a stream or a waiting call hangs on: the credential it was asked with. Rejects `ended` when that is revoked, has
 * expired, or its user's roles are not what they were. Announcements are hints: each has the credential looked up again.
 * Make it before the work begins, and `close` it in a finally.
 */
export class CredentialWatch {
  /** Never resolves. Rejects with UNAUTHORIZED. */
  readonly ended: Promise<never>;
  readonly #ctx: Pick<Context, "services" | "lookUpAgain">;
  readonly #principal: Principal;
  readonly #unsubscribe: () => void;
  #fail: (error: unknown) => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(ctx: Pick<Context, "services" | "lookUpAgain">, principal: Principal) {
    this.#ctx = ctx;
    this.#principal = principal;
    this.ended = new Promise((_, reject) => {
      this.#fail = reject;
    });
    // Whoever races it is gone when the work ends first.
    this.ended.catch(() => undefined);
    const { notifier } = ctx.services.database;
    this.#unsubscribe = notifier.subscribe("credential_revoked", credentialId(principal), () => this.check());
    this.#awaitExpiry();
  }

  close(): void {
    this.#closed = true;
    this.#unsubscribe();
    clearTimeout(this.#timer);
  }

  #awaitExpiry(): void {
    if (this.#principal.kind === "device" || !this.#principal.expiresAt) return;
    const left = Math.max(SHORTEST_TIMER_MS, this.#principal.expiresAt.getTime() - Date.now());
    this.#timer = setTimeout(() => this.check(), Math.min(left, LONGEST_TIMER_MS));
  }

  /** Looks the credential up again; while the database does not answer, again and again. */
  check(): void {
    clearTimeout(this.#timer);
    this.#ctx.lookUpAgain().then(
      (principal) => {
        if (this.#closed) return;
        if (isAsGoodAs(principal, this.#principal)) this.#awaitExpiry();
        else
          this.#fail(
            new GroveError(
              "UNAUTHORIZED",
              "What this was asked with is no longer valid. Sign in, or ask again.",
            ),
          );
      },
      () => {
        if (!this.#closed) this.#timer = setTimeout(() => this.check(), RETRY_MS);
      },
    );
  }
}

/** By which a credential's end is announced. */
const credentialId = (principal: Principal): string =>
  principal.kind === "session"
    ? principal.sessionId
    : principal.kind === "api_key"
      ? principal.keyId
      : principal.deviceId;

/** The same credential with the roles it had; more organizations than before are no reason to end anything. */
function isAsGoodAs(now: Principal | null, before: Principal): boolean {
  if (now?.kind === "device" || before.kind === "device") return now?.kind === before.kind;
  if (!now) return false;
  return [...before.memberships].every(([id, role]) => now.memberships.get(id) === role);
}

/** A stream's events, until the credential ends; then the error. */
export async function* untilEnded<Event>(
  stream: AsyncIterable<Event>,
  watch: CredentialWatch,
): AsyncGenerator<Event, void> {
  const events = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([events.next(), watch.ended]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    watch.close();
    // Not awaited: one that is waiting for something ends when it has waited.
    events.return?.().catch(() => undefined);
  }
}
