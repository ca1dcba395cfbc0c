import { setTimeout as sleep } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { batch } from "../batch";
import { makerOf, newIdBy, newMaker } from "../ids";
import type { Log } from "../log";
import { busChannels, busWords, type Channel, EVERY_KEY, FanOut, type OpenNotifier } from "../notifier";
import type { Database } from "../tables";
import type { Announcements } from "./announcing";
import { connectToNats, type NatsLink } from "./nats";

/** While a process is away from the bus, it says so this often, and each time it counts as away for this long. */
const SAY_EVERY_MS = 2_000;
const AWAY_MS = 5_000;
/** All have heard by then that a process is away, and announce through the database. */
const HEARD_MS = 200;
/** All are told to read again so many times: the second time for those that heard of the outage late. */
const TIMES_READ = 2;
/** However many processes have lost NATS, this process reads again only this often. */
const READ_EVERY_MS = 1_000;
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
/** Announcements in one statement, while the database carries them. */
const MOST_ANNOUNCED = 100;

/** A process with NATS says this often that it is here, and processes without NATS say that they are away. */
const HERE_EVERY_MS = 30_000;

/**
 * Carries the announcements of the hot channels by NATS, as text of the subject `<prefix>.<channel>.<maker>.<key>`. A
 * process that listens to a key subscribes to its subject, so each announcement reaches only those that wait for it.
 *
 * For a key that is waited for only once, such as a command's, that would be two messages more. The last digits of such
 * a key name the process that has made it, and each process subscribes once to all keys with its name.
 *
 * NATS is never the truth. It may go away, and may not yet be known to every process. A process without it says so
 * through the database. From then on all processes announce through the database, until nobody is away. When a process
 * has lost NATS, all read again: that process may have missed something, and what it published last may be lost.
 */
export class NatsNotifier implements Announcements {
  readonly fanOut: FanOut;
  readonly #url: string;
  readonly #log: Log;
  readonly #closing = new AbortController();
  readonly #throughDatabase: (announcement: string) => Promise<null>;
  #db: Kysely<Database> | undefined;
  /** The name of this process, at the end of the ids that it makes to wait for. */
  readonly #name = newMaker();
  #prefix = "";
  #link: NatsLink | undefined;
  /** How to unsubscribe from the link, by `<channel> <key>`. */
  #ends = new Map<string, () => void>();
  /** Until when some process is away, on the clock of `performance.now()`. */
  #awayUntil = 0;
  #outages = 0;
  #isInDoubt = false;
  #reading: NodeJS.Timeout | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #here: NodeJS.Timeout | undefined;
  #kept: Promise<void> = Promise.resolve();

  constructor(url: string, log: Log) {
    this.#url = url;
    this.#log = log;
    this.fanOut = new FanOut(log, (channel, key) => this.#hear(channel, key));
    this.fanOut.subscribe("bus", busWords.away, (event) => {
      if (event.kind === "notification") this.#onAway(Number(event.detail));
    });
    this.fanOut.subscribe("bus", busWords.read, () => this.#readAgain());
    this.#throughDatabase = batch((announcements) => this.#announce(announcements), {
      most: MOST_ANNOUNCED,
      inFlight: 1,
    });
  }

  /**
   * Connects. Until then, the database carries everything.
   * @param db for short statements
   * @throws {NatsError} when NATS cannot be used
   */
  async open(db: Kysely<Database>): Promise<void> {
    this.#db = db;
    this.#prefix = await prefixOf(db);
    // A process without NATS answers immediately, if there is one.
    await this.#say(busWords.here);
    this.#attach(await connectWith(this.#url, this.#prefix));
    this.#here = setInterval(() => void this.#say(busWords.here), HERE_EVERY_MS).unref();
    this.#kept = this.#keep();
  }

  /** The notifier on both links. @param database hears what PostgreSQL announces, and delivers to the same `fanOut` */
  over(database: OpenNotifier): OpenNotifier {
    const { fanOut } = this;
    const isConnected = () => this.#link !== undefined;
    const outages = () => this.#outages;
    return {
      get connected() {
        return database.connected;
      },
      subscribe: (channel, key, listener) => fanOut.subscribe(channel, key, listener),
      newId: () => newIdBy(this.#name),
      onReconnect: (listener) => fanOut.onReconnect(listener),
      counts: fanOut.counts,
      settled: async () => this.#link?.flushed(),
      bus: {
        get connected() {
          return isConnected();
        },
        get outages() {
          return outages();
        },
      },
      close: async () => {
        this.#closing.abort();
        clearTimeout(this.#reading);
        clearInterval(this.#here);
        this.#link?.close();
        await this.#kept;
        await database.close();
      },
    };
  }

  publish(announcements: readonly string[]): void {
    const link = performance.now() < this.#awayUntil ? undefined : this.#link;
    for (const announcement of announcements) {
      const [channel, payload, key] = partsOf(announcement);
      if (link) {
        link.publish(subjectOf(this.#prefix, channel, key), payload);
        this.fanOut.deliver(channel, payload, true);
      } else void this.#throughDatabase(announcement).catch(() => this.doubt());
    }
  }

  /** All processes read again, once the database answers. */
  doubt(): void {
    if (this.#isInDoubt) return;
    this.#isInDoubt = true;
    void (async () => {
      do await sleep(SHORTEST_PAUSE_MS, undefined, { ref: false });
      while (!this.#closing.signal.aborted && !(await this.#say(busWords.read)));
      this.#isInDoubt = false;
    })();
  }

  /** Somebody begins to listen to a key. */
  #hear(channel: Channel, key: string): () => void {
    const address = `${channel} ${key}`;
    if (this.#link) this.#subscribe(this.#link, channel, key);
    return () => {
      this.#ends.get(address)?.();
      this.#ends.delete(address);
    };
  }

  #subscribe(link: NatsLink, channel: Channel, key: string): void {
    // The process hears of its own ids anyway.
    if (!isCarried(channel) || makerOf(key) === this.#name) return;
    const end = link.subscribe(subjectOf(this.#prefix, channel, key), (payload) =>
      this.fanOut.deliver(channel, payload, false, key),
    );
    this.#ends.set(`${channel} ${key}`, end);
  }

  #attach(link: NatsLink): void {
    this.#ends = new Map();
    this.#link = link;
    for (const channel of busChannels)
      link.subscribe(subjectOf(this.#prefix, channel, EVERY_KEY, this.#name), (payload) =>
        this.fanOut.deliver(channel, payload, false, keyOf(payload)),
      );
    for (const [channel, key] of this.fanOut.keys()) this.#subscribe(link, channel, key);
  }

  async #keep(): Promise<void> {
    const { signal } = this.#closing;
    while (this.#link) {
      await this.#link.lost;
      this.#link.close();
      this.#link = undefined;
      if (signal.aborted) return;
      this.#outages++;
      this.#log.warn({}, "NATS is away; the database carries all announcements");
      const back = new AbortController();
      const saying = this.#sayAway(AbortSignal.any([signal, back.signal]));
      const link = await this.#reconnect();
      if (link) this.#attach(link);
      // From now on announcements arrive by NATS; until now, the database carried them.
      await link?.flushed();
      back.abort();
      await saying;
      if (link) this.#log.info({}, "NATS is back");
    }
  }

  /** Tries until it succeeds. Returns undefined if closed before that. */
  async #reconnect(): Promise<NatsLink | undefined> {
    const { signal } = this.#closing;
    let said = "";
    for (let pause = SHORTEST_PAUSE_MS; !signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      await sleep(pause * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
      if (signal.aborted) return undefined;
      try {
        return await connectWith(this.#url, this.#prefix);
      } catch (error) {
        const { message } = error as Error;
        if (message !== said) this.#log.warn({ err: error }, "NATS cannot be used");
        said = message;
      }
    }
    return undefined;
  }

  /** Some process does not hear NATS for this long. */
  #onAway(ms: number): void {
    this.#awayUntil = Math.max(this.#awayUntil, performance.now() + ms);
  }

  async #sayAway(over: AbortSignal): Promise<void> {
    for (let told = 0; !over.aborted; ) {
      this.#onAway(AWAY_MS);
      if ((await this.#say(`${busWords.away} ${AWAY_MS}`)) && told < TIMES_READ) {
        await sleep(HEARD_MS);
        if (await this.#say(busWords.read)) told++;
      }
      await sleep(SAY_EVERY_MS, undefined, { signal: over }).catch(() => {});
    }
  }

  /** Whether all processes are told. */
  async #say(word: string): Promise<boolean> {
    try {
      await this.#announce([`bus ${word}`]);
      return true;
    } catch (error) {
      this.#log.warn({ err: error }, "the other processes cannot be told about NATS");
      return false;
    }
  }

  #readAgain(): void {
    this.#reading ??= setTimeout(
      () => {
        this.#reading = undefined;
        this.#readAt = performance.now();
        this.fanOut.readAgain(busChannels);
      },
      this.#readAt + READ_EVERY_MS - performance.now(),
    );
  }

  async #announce(announcements: readonly string[]): Promise<null[]> {
    const parts = announcements.map(partsOf);
    const values = [parts.map(([channel]) => channel), parts.map(([, payload]) => payload)] as const;
    if (this.#db)
      await sql`select pg_notify(channel, payload)
        from unnest(${values[0]}::text[], ${values[1]}::text[]) as said (channel, payload)`.execute(this.#db);
    return announcements.map(() => null);
  }
}

/** `device_wake 0199… claimed 019a…` is announced on `device_wake`, and its key is `0199…`. */
function partsOf(announcement: string): [channel: Channel, payload: string, key: string] {
  const end = announcement.indexOf(" ");
  const payload = announcement.slice(end + 1);
  return [announcement.slice(0, end) as Channel, payload, keyOf(payload)];
}

const keyOf = (payload: string): string => /^\S*/.exec(payload)?.[0] ?? "";

const isCarried = (channel: Channel): boolean => busChannels.some((carried) => carried === channel);

/** The maker's name is a word of its own, so that one subscription brings a process all that concerns its ids. */
const subjectOf = (prefix: string, channel: Channel, key: string, maker = makerOf(key)) =>
  `${prefix}.${channel}.${maker}.${key}`;

/**
 * Connects to NATS, with the right to use all subjects of this prefix.
 * @throws {NatsError}
 */
export const connectWith = (url: string, prefix: string): Promise<NatsLink> =>
  connectToNats(
    url,
    busChannels.map((channel) => subjectOf(prefix, channel, "proof")),
  );

/** Names this database among all others, so that two Groves on one NATS never hear each other. */
export async function prefixOf(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select left(md5(system_identifier || ' ' || oid), 16) as name
    from pg_control_system(), pg_database where datname = current_database()`.execute(db);
  return `grove.${rows[0]?.name}`;
}
