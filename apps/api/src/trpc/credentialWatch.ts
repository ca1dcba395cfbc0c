import { GroveError, type Principal } from "@grove/auth";
import type { Context } from "./context";

/** How often the credential is looked up while announcements do not arrive. */
const UNHEARD_MS = 10_000;
const SHORTEST_TIMER_MS = 100;
const RETRY_MS = 250;

/**
 * Watches the credential that a stream or a waiting call was opened with. It rejects `ended` when the credential is
 * revoked or expires, or a role of its user changes. Announcements are hints: each triggers a fresh lookup. While
 * none arrive, the credential is looked up every ten seconds, so that a revocation counts as long as the database
 * answers. Create it before the work begins, and `close` it in a finally.
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
    // If the work ends first, nobody awaits this promise any longer.
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

  /** Whether this process would be notified of a revocation. */
  get #hears(): boolean {
    return this.#ctx.services.database.notifier.connected;
  }

  /** Looks the credential up again, and keeps retrying while the database does not answer. */
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
              "The credential of this request is no longer valid. Sign in again, or use another key.",
            ),
          );
      },
      () => {
        if (this.#closed) return;
        // An unreachable database announces nothing either. Once it is back, every listener is notified.
        if (this.#hears) this.#timer = setTimeout(() => this.check(), RETRY_MS);
        else this.#checkLater();
      },
    );
  }
}

/** The id under which a credential's end is announced. */
const credentialId = (principal: Principal): string =>
  principal.kind === "session"
    ? principal.sessionId
    : principal.kind === "api_key"
      ? principal.keyId
      : principal.deviceId;

/** When a credential expires by itself; a session may be prolonged until then. */
const expiryOf = (principal: Principal | null): Date | null =>
  principal && principal.kind !== "device" ? principal.expiresAt : null;

/** The same credential with the roles it had; membership of more organizations is no reason to end anything. */
function isAsGoodAs(now: Principal | null, before: Principal): boolean {
  if (now?.kind === "device" || before.kind === "device") return now?.kind === before.kind;
  if (!now) return false;
  return [...before.memberships].every(([id, role]) => now.memberships.get(id) === role);
}

/** Yields a stream's events until the credential ends; then throws the error. */
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
    // Not awaited: a stream that is waiting for something ends when it has waited.
    events.return?.().catch(() => undefined);
  }
}
