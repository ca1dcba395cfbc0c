import { setTimeout as sleep } from "node:timers/promises";
import type { NatsConnection } from "@nats-io/transport-node";

/** How long the server may take to answer: to be connected to, and then to each flush. */
const PATIENCE_MS = 2_000;
/** A caller waits no longer than this until the server knows its subscriptions. */
const SETTLE_MS = 250;
/** A server that has disappeared silently is noticed within this and its patience. */
const FLUSH_EVERY_MS = 1_000;

/** NATS cannot be used. The message is one line that names the server and what to do, without a password. */
export class NatsError extends Error {
  override name = "NatsError";
}

/** One connection to NATS. It is never made again: `lost` resolves, and a new one takes its place. */
export interface NatsLink {
  publish(subject: string, text: string): void;
  /** Returns a function that unsubscribes. */
  subscribe(subject: string, listener: (text: string) => void): () => void;
  /** Resolves when the server has taken everything sent so far, or does not answer soon. */
  flushed(): Promise<void>;
  /** Resolves when the connection has ended, or the server does not answer. */
  readonly lost: Promise<void>;
  close(): void;
}

/**
 * Connects to one of the servers, and proves that it lets this user publish and subscribe to such subjects.
 * @param url one or several addresses, with commas between them; the first one's name and password hold for all
 * @param subjects of the kind that will be used
 * @throws {NatsError}
 */
export async function connectToNats(url: string, subjects: readonly string[]): Promise<NatsLink> {
  // Loaded only where it is used.
  const { connect } = await import("@nats-io/transport-node");
  const servers = url.split(",").map((address) => new URL(address.trim()));
  const names = servers.map(({ protocol, host }) => `${protocol}//${host}`).join(", ");
  const { username = "", password = "" } = servers[0] ?? {};
  const user = decodeURIComponent(username);
  const pass = decodeURIComponent(password);
  const connection = await connect({
    name: "grove",
    servers: servers.map(({ host }) => host),
    // A name alone is a token.
    ...(user && (pass ? { user, pass } : { token: user })),
    ...(servers.some(({ protocol }) => protocol === "tls:") && { tls: {} }),
    // Own listeners are told directly.
    noEcho: true,
    // The client would drop in silence what is published meanwhile, and give up in the end.
    reconnect: false,
    timeout: PATIENCE_MS,
    ignoreClusterUpdates: true,
  }).catch((cause: Error) => {
    const next = /certificate/.test(cause.message)
      ? "For an authority of your own, set NODE_EXTRA_CA_CERTS to its certificate."
      : "Are the name, the password and the address in NATS_URL right?";
    throw new NatsError(`Cannot connect to NATS at ${names}: ${cause.message}. ${next}`, { cause });
  });
  const problems = new Problems(connection);
  const link = linkOn(connection, problems);
  for (const subject of subjects) {
    link.subscribe(subject, () => {})();
    link.publish(subject, "");
  }
  const isAnswered = await isFlushed(connection);
  const [refusal] = problems.seen;
  if (isAnswered && !refusal) return link;
  link.close();
  const prefix = subjects[0]?.split(".").slice(0, 2).join(".");
  throw new NatsError(
    refusal
      ? `NATS at ${names} refuses: ${refusal}. Allow this user to publish and to subscribe to "${prefix}.>".`
      : `NATS at ${names} does not answer.`,
  );
}

/** The server's complaints: about forbidden subjects, and about whatever else has no answer of its own. */
class Problems {
  readonly seen: string[] = [];
  /** Resolves with the first one. */
  readonly first: Promise<void>;

  constructor(connection: NatsConnection) {
    this.first = (async () => {
      for await (const event of connection.status()) {
        if (event.type !== "error") continue;
        this.seen.push(event.error.message);
        return;
      }
    })();
  }
}

/** Whether the server answers in time. */
async function isFlushed(connection: NatsConnection, patienceMs = PATIENCE_MS): Promise<boolean> {
  let answered: boolean | undefined;
  const answering = connection.flush().then(
    () => {
      answered = true;
    },
    () => {
      answered = false;
    },
  );
  const late = new AbortController();
  await Promise.race([answering, sleep(patienceMs, undefined, { signal: late.signal }).catch(() => {})]);
  late.abort();
  // A process that was busy for so long may not have read the answer yet.
  await new Promise(setImmediate);
  return answered ?? false;
}

function linkOn(connection: NatsConnection, problems: Problems): NatsLink {
  const closing = new AbortController();
  const silent = async () => {
    while (!closing.signal.aborted) {
      await sleep(FLUSH_EVERY_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {});
      if (!closing.signal.aborted && !(await isFlushed(connection))) return;
    }
  };
  return {
    publish: (subject, text) => {
      if (!connection.isClosed()) connection.publish(subject, text);
    },
    subscribe: (subject, listener) => {
      if (connection.isClosed()) return () => {};
      const subscription = connection.subscribe(subject, {
        callback: (error, message) => {
          if (!error) listener(message.string());
        },
      });
      return () => {
        if (!connection.isClosed()) subscription.unsubscribe();
      };
    },
    flushed: async () => {
      await isFlushed(connection, SETTLE_MS);
    },
    lost: Promise.race([connection.closed().then(() => {}), problems.first, silent()]),
    close: () => {
      closing.abort();
      void connection.close().catch(() => {});
    },
  };
}
