import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import * as http from "node:http";
import { connect, type Socket, type TcpNetConnectOpts } from "node:net";
import { type Duplex, Readable } from "node:stream";
import { proofMessage } from "@grove/schemas";

/**
 * The keep-alive settings for connections to the API. An idle connection outlasts the pause between two heartbeats, and
 * closes before Grove's server would close it, after 72 s. A server that closes earlier usually announces it in its
 * `Keep-Alive` header, which Node obeys.
 */
export const keepAlive = { keepAlive: true, timeout: 60_000, noDelay: true };

const ANSWER_TIMEOUT_MS = 5_000;
const MAX_ANSWER_CHARACTERS = 16 * 1024;

/** The program that listens at the address is not the Grove whose key this program has. */
export class NotProvenError extends Error {
  override name = "NotProvenError";
  readonly code = "NOT_PROVEN";
  constructor(at: string, why: string) {
    super(
      `The program at ${at} is not this machine's Grove (${why}), so no secret was sent to it. Start Grove again.`,
    );
  }
}

/**
 * An agent for requests to a Grove on the same machine. Before anything else is sent on a connection, its other end
 * must prove that it has the key in that Grove's `DATA_DIR/proof.key`. While Grove is stopped, any user of the machine
 * may take its port; such a user's program then receives no password and no key.
 *
 * A request by this agent fails with {@link NotProvenError} if the proof is wrong or missing.
 */
export class ProvenAgent extends http.Agent {
  readonly #key: string;

  constructor(key: string) {
    super(keepAlive);
    this.#key = key;
  }

  override createConnection(
    options: http.ClientRequestArgs,
    callback: (error: Error | null, stream: Duplex) => void = () => {},
  ): undefined {
    const socket = connect(options as TcpNetConnectOpts);
    prove(socket, this.#key).then(
      () => callback(null, socket),
      (error: Error) => callback(error, socket.destroy()),
    );
  }
}

/** A fetch over such an agent, for plain http. Bodies are text. */
export const createProvenFetch =
  (agent: ProvenAgent): typeof fetch =>
  (input, init = {}) =>
    new Promise((resolve, reject) => {
      const { method = "GET", body, signal } = init;
      const request = http.request(
        String(input instanceof Request ? input.url : input),
        { agent, method, headers: Object.fromEntries(new Headers(init.headers)), ...(signal && { signal }) },
        (answer) => {
          const { statusCode = 0, headers } = answer;
          const empty = [204, 205, 304].includes(statusCode);
          if (empty) answer.resume();
          const content = empty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>);
          const headerPairs = Object.entries(headers).map(([name, value]): [string, string] => [
            name,
            String(value),
          ]);
          resolve(new Response(content, { status: statusCode, headers: headerPairs }));
        },
      );
      request.on("error", (error) => reject(signal?.aborted ? signal.reason : error));
      request.end(typeof body === "string" ? body : undefined);
    });

/** Requests the proof on a connection. The connection can then be used as if nothing had been sent on it. */
async function prove(socket: Socket, key: string): Promise<void> {
  const challenge = randomBytes(32).toString("hex");
  const answer = await sendRequest(socket, `/api/proof?challenge=${challenge}`);
  const { remoteAddress = "", remotePort = 0 } = socket;
  const signedMessage = proofMessage({ address: remoteAddress, port: remotePort, challenge });
  const expected = createHmac("sha256", key).update(signedMessage).digest();
  const proof = Buffer.from(/^\{"proof":"([0-9a-f]{64})"\}$/.exec(answer)?.[1] ?? "", "hex");
  if (proof.length !== expected.length || !timingSafeEqual(proof, expected))
    throw new NotProvenError(`${remoteAddress}:${remotePort}`, "its proof is wrong");
}

/** Sends one HTTP/1.1 request on a raw connection and returns the body. The whole response is consumed. */
function sendRequest(socket: Socket, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const end = (settle: () => void) => {
      clearTimeout(timer);
      socket.off("readable", onReadable).off("error", onError).off("close", onClose);
      settle();
    };
    const fail = (why: string) => {
      const { remoteAddress, remotePort } = socket;
      end(() => reject(new NotProvenError(`${remoteAddress}:${remotePort}`, why)));
    };
    const onReadable = () => {
      for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) received += chunk;
      const body = bodyOf(received);
      if (body !== undefined) end(() => resolve(body));
      else if (received.length > MAX_ANSWER_CHARACTERS) fail("its answer is too long");
    };
    const onError = (error: Error) => end(() => reject(error));
    const onClose = () => fail("it closed the connection");
    const timer = setTimeout(() => fail("it does not answer"), ANSWER_TIMEOUT_MS);
    socket.on("readable", onReadable).on("error", onError).on("close", onClose);
    socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
  });
}

/** The body of a complete response; undefined while more is to come. The proof is ASCII. */
function bodyOf(received: string): string | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const length = Number(/^content-length: *(\d+)\r?$/im.exec(received.slice(0, end + 2))?.[1] ?? 0);
  const body = received.slice(end + 4);
  return body.length < length ? undefined : body;
}
