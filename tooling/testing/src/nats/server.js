import { createServer } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";

/**
 * A small NATS server, for machines without nats-server: as much as the published client protocol says of INFO,
 * CONNECT, PING, PONG, SUB, UNSUB, PUB and -ERR, for one user or whoever has the token, with TLS after INFO. Without
 * headers, queue groups and clusters.
 *
 * node server.js '{"port":4222,"user":"ada","password":"…","publish":["a.>"],"subscribe":["a.*"]}'
 * @typedef {{ port: number, user?: string, password?: string, token?: string, tls?: { key: string, cert: string },
 *   publish?: string[], subscribe?: string[] }} Options
 */

const MOST_BYTES = 1_048_576;
const LONGEST_LINE = 4_096;
const CRLF = Buffer.from("\r\n");

/** @type {Options} */
const options = JSON.parse(process.argv[2] ?? "{}");
/** @type {Set<Client>} */
const clients = new Set();

/** Whether a subject is one of those that the pattern names: `*` is one token, `>` all that follow.
 * @param {string[]} pattern
 * @param {string[]} subject */
function covers(pattern, subject) {
  for (const [index, token] of pattern.entries()) {
    if (token === ">") return subject.length > index;
    if (subject[index] === undefined || (token !== "*" && token !== subject[index])) return false;
  }
  return pattern.length === subject.length;
}

/** @param {string[] | undefined} patterns
 * @param {string} subject */
const allows = (patterns, subject) =>
  !patterns || patterns.some((pattern) => covers(pattern.split("."), subject.split(".")));

class Client {
  /** @type {Buffer} */
  #unread = Buffer.alloc(0);
  /** The message that a PUB has begun, until its payload is here. */
  /** @type {{ subject: string, reply: string, bytes: number } | undefined} */
  #publishing;
  #isSignedIn = false;
  #echo = true;
  /** By the number that the client gives; `most` and `sent` for those that end after some messages. */
  /** @type {Map<string, { pattern: string[], most: number, sent: number }>} */
  #subscriptions = new Map();
  /** @type {import("node:net").Socket} */
  #socket;

  /** @param {import("node:net").Socket} socket */
  constructor(socket) {
    this.#socket = socket.setNoDelay(true);
    clients.add(this);
    const info = {
      server_id: "GROVE",
      version: "2.9.0",
      proto: 1,
      max_payload: MOST_BYTES,
      headers: false,
      auth_required: options.user !== undefined || options.token !== undefined,
      ...(options.tls && { tls_required: true }),
    };
    this.#say(`INFO ${JSON.stringify(info)}`);
    if (options.tls)
      this.#socket = new TLSSocket(socket, {
        isServer: true,
        secureContext: createSecureContext(options.tls),
      });
    for (const used of new Set([socket, this.#socket])) used.on("error", () => {});
    this.#socket.on("data", (chunk) => this.#read(chunk));
    this.#socket.on("close", () => clients.delete(this));
  }

  /** @param {string} line */
  #say(line) {
    this.#socket.write(`${line}\r\n`);
  }

  /** An error after which the server ends the connection.
   * @param {string} message */
  #refuse(message) {
    this.#say(`-ERR '${message}'`);
    this.#socket.end();
    this.#unread = Buffer.alloc(0);
  }

  /** @param {Buffer} chunk */
  #read(chunk) {
    this.#unread = this.#unread.length > 0 ? Buffer.concat([this.#unread, chunk]) : chunk;
    for (;;) {
      if (this.#publishing) {
        const { subject, reply, bytes } = this.#publishing;
        if (this.#unread.length < bytes + CRLF.length) return;
        const payload = this.#unread.subarray(0, bytes);
        this.#unread = this.#unread.subarray(bytes + CRLF.length);
        this.#publishing = undefined;
        this.#publish(subject, reply, payload);
        continue;
      }
      const end = this.#unread.indexOf(CRLF);
      if (end === -1) {
        if (this.#unread.length > LONGEST_LINE) this.#refuse("Maximum Control Line Exceeded");
        return;
      }
      const line = this.#unread.toString("utf8", 0, end);
      this.#unread = this.#unread.subarray(end + CRLF.length);
      this.#take(line);
    }
  }

  /** @param {string} line */
  #take(line) {
    const [word = "", ...rest] = line.split(/[ \t]+/);
    const operation = word.toUpperCase();
    if (operation === "CONNECT") return this.#connect(JSON.parse(line.slice(word.length)));
    if (operation === "PONG") return;
    if (!this.#isSignedIn) return this.#refuse("Authorization Violation");
    if (operation === "PING") return this.#say("PONG");
    if (operation === "SUB" && rest.length === 2) return this.#subscribe(rest[0] ?? "", rest[1] ?? "");
    if (operation === "UNSUB") return this.#unsubscribe(rest[0] ?? "", Number(rest[1] ?? 0));
    if (operation === "PUB" && (rest.length === 2 || rest.length === 3)) {
      const bytes = Number(rest.at(-1));
      if (!(bytes <= MOST_BYTES)) return this.#refuse("Maximum Payload Violation");
      this.#publishing = { subject: rest[0] ?? "", reply: rest.length === 3 ? (rest[1] ?? "") : "", bytes };
      return;
    }
    this.#refuse("Unknown Protocol Operation");
  }

  /** @param {{ user?: string, pass?: string, auth_token?: string, echo?: boolean }} given */
  #connect({ user, pass, auth_token: token, echo = true }) {
    if (user !== options.user || pass !== options.password || token !== options.token)
      return this.#refuse("Authorization Violation");
    this.#isSignedIn = true;
    this.#echo = echo;
  }

  /** @param {string} subject
   * @param {string} id */
  #subscribe(subject, id) {
    if (!allows(options.subscribe, subject))
      return this.#say(`-ERR 'Permissions Violation for Subscription to "${subject}"'`);
    if (!this.#subscriptions.has(id))
      this.#subscriptions.set(id, { pattern: subject.split("."), most: 0, sent: 0 });
  }

  /** @param {string} id
   * @param {number} most */
  #unsubscribe(id, most) {
    const subscription = this.#subscriptions.get(id);
    if (subscription) subscription.most = most;
    if (!subscription || subscription.sent >= most) this.#subscriptions.delete(id);
  }

  /** @param {string} subject
   * @param {string} reply
   * @param {Buffer} payload */
  #publish(subject, reply, payload) {
    if (!allows(options.publish, subject))
      return this.#say(`-ERR 'Permissions Violation for Publish to "${subject}"'`);
    const tokens = subject.split(".");
    for (const client of clients) if (client !== this || this.#echo) client.#deliver(tokens, reply, payload);
  }

  /** @param {string[]} subject
   * @param {string} reply
   * @param {Buffer} payload */
  #deliver(subject, reply, payload) {
    for (const [id, subscription] of this.#subscriptions) {
      if (!covers(subscription.pattern, subject)) continue;
      subscription.sent++;
      if (subscription.most > 0 && subscription.sent >= subscription.most) this.#subscriptions.delete(id);
      const head = `MSG ${subject.join(".")} ${id} ${reply && `${reply} `}${payload.length}\r\n`;
      this.#socket.write(Buffer.concat([Buffer.from(head), payload, CRLF]));
    }
  }
}

createServer((socket) => void new Client(socket)).listen(options.port, "127.0.0.1", () =>
  process.stderr.write("Server is ready\n"),
);
