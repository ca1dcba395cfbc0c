import { GroveError, type Principal } from "@grove/auth";
import type { Context } from "./context";

/** While announcements do not arrive, the credential is looked up this often. */
const UNHEARD_MS = 10_000;
const SHORTEST_TIMER_MS = 100;
const RETRY_MS = 250;

/**
 * What a stream or a waiting call hangs on: the credential it was asked with. Rejects `ended` when that is revoked, has
 * expired, or its user's roles are not what they were. Announcements are hints: each has the credential looked up again.
 * While none arrive, it is looked up every ten seconds, so that a revocation counts for as long as the database answers.
 * Make it before the work begins, and `close` it in a finally.
 */
export class CredentialWatch {
  /** Never resolves. Rejects with UNAUTHORIZED. */
  readonly ended: Promise<never>;
  readonly #ctx: Pick<Context, "services" | "lookUpAgain">;
  readonly #principal: Principal;
  readonly #unsubscribe: () => void;
  #fail: (error: unknown) => void = () => {};
  #expiresAt: Date | null;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(ctx: Pick<Context, "services" | "lookUpAgain">, principal: Principal) {
    this.#ctx = ctx;
    this.#principal = principal;
    this.#expiresAt = expiryOf(principal);
    this.ended = new Promise((_, reject) => {
      this.#fail = reject;
    });
    // Whoever races it is gone when the work ends first.
    this.ended.catch(() => undefined);
    const { notifier } = ctx.services.database;
    this.#unsubscribe = notifier.subscribe("credential_revoked", credentialId(principal), () => this.check());
    this.#checkLater();
  }

  close(): void {
    this.#closed = true;
    this.#unsubscribe();
    clearTimeout(this.#timer);
  }

  /** Checks again when the credential expires, and before that while announcements do not arrive. */
  #checkLater(): void {
    const left = (this.#expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now();
    const expires = left <= UNHEARD_MS;
    this.#timer = setTimeout(
      () => (expires || !this.#hears ? this.check() : this.#checkLater()),
      expires ? Math.max(SHORTEST_TIMER_MS, left) : UNHEARD_MS,
    );
  }

  /** Whether a revocation would be announced to this process. */
  get #hears(): boolean {
    return this.#ctx.services.database.notifier.connected;
  }

  /** Looks the credential up again; while the database does not answer, again and again. */
  check(): void {
    clearTimeout(this.#timer);
    this.#ctx.lookUpAgain().then(
      (principal) => {
        if (this.#closed) return;
        if (isAsGoodAs(principal, this.#principal)) {
          this.#expiresAt = expiryOf(principal);
          this.#checkLater();
        } else
          this.#fail(
            new GroveError(
              "UNAUTHORIZED",
              "What this was asked with is no longer valid. Sign in, or ask again.",
            ),
          );
      },
      () => {
        if (this.#closed) return;
        // A database that is away announces nothing either. Once it is back, every listener is told so.
        if (this.#hears) this.#timer = setTimeout(() => this.check(), RETRY_MS);
        else this.#checkLater();
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

/** When a credential ends by itself; a session may be prolonged until then. */
const expiryOf = (principal: Principal | null): Date | null =>
  principal && principal.kind !== "device" ? principal.expiresAt : null;

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
