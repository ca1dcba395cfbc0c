import { type Credential, credentialOf, GroveError } from "@grove/auth";
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
  readonly #credential: Credential;
  readonly #unsubscribe: () => void;
  #fail: (error: unknown) => void = () => {};
  #expiresAt: Date | null;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(ctx: Pick<Context, "services" | "lookUpAgain">, credential: Credential) {
    this.#ctx = ctx;
    this.#credential = credential;
    this.#expiresAt = credential.expiresAt;
    this.ended = new Promise((_, reject) => {
      this.#fail = reject;
    });
    // If the work ends first, this promise is no longer awaited.
    this.ended.catch(() => undefined);
    const { notifier } = ctx.services.database;
    this.#unsubscribe = notifier.subscribe("credential_revoked", credential.id, () => this.check());
    this.#checkLater();
  }

  close(): void {
    this.#closed = true;
    this.#unsubscribe();
    clearTimeout(this.#timer);
  }

  /** Checks again when the credential expires, and before that while announcements do not arrive. */
  #checkLater(): void {
    const remainingMs = (this.#expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now();
    const expires = remainingMs <= UNHEARD_MS;
    this.#timer = setTimeout(
      () => (expires || !this.#isListening ? this.check() : this.#checkLater()),
      expires ? Math.max(SHORTEST_TIMER_MS, remainingMs) : UNHEARD_MS,
    );
  }

  get #isListening(): boolean {
    return this.#ctx.services.database.notifier.connected;
  }

  /** Looks the credential up again, and keeps retrying while the database does not answer. */
  check(): void {
    clearTimeout(this.#timer);
    this.#ctx.lookUpAgain().then(
      (principal) => {
        if (this.#closed) return;
        if (this.#credential.stillGrants(principal)) {
          this.#expiresAt = credentialOf(principal).expiresAt;
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
        if (this.#isListening) this.#timer = setTimeout(() => this.check(), RETRY_MS);
        else this.#checkLater();
      },
    );
  }
}

/**
 * Runs a waiting call until its credential ends; then throws the error.
 * @param isVerified whether the call itself checks that the credential is still valid
 */
export async function whileValid<Result>(
  ctx: Context,
  credential: Credential,
  isVerified: boolean,
  run: () => Promise<Result>,
): Promise<Result> {
  const watch = new CredentialWatch(ctx, credential);
  // Checked once more, now that an announcement would be received.
  if (!isVerified) watch.check();
  try {
    return await Promise.race([run(), watch.ended]);
  } finally {
    watch.close();
  }
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
