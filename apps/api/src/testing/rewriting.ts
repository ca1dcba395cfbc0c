import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll } from "vitest";

/** Changes on a line between API and database. */
export interface Rewriting {
  /** Changes bytes from the server. */
  fromServer?: (bytes: Buffer) => Buffer;
  /** Changes bytes from the client. */
  fromClient?: (bytes: Buffer) => Buffer;
  /** How long bytes from the client are delayed. */
  delayMs?: (bytes: Buffer) => number;
}

/** A database's address through a line that changes what passes; closed after the file's tests. */
export async function rewriting(
  databaseUrl: string,
  { fromServer, fromClient, delayMs }: Rewriting,
): Promise<string> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        client.destroy();
        database.destroy();
      });
    }
    client.on("data", (bytes) => {
      const rewritten = fromClient ? fromClient(bytes) : bytes;
      setTimeout(() => database.write(rewritten), delayMs?.(bytes) ?? 0);
    });
    database.on("data", (bytes) => client.write(fromServer ? fromServer(bytes) : bytes));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return url.href;
}

const NOTIFICATION = "A".charCodeAt(0);

/** Leaves out notifications, as a pooler does that gives a session's connection to others. */
export function withoutNotifications(bytes: Buffer): Buffer {
  const buffered: Buffer[] = [];
  // Each message is a letter, the length of the rest, and the rest.
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + (at + 5 <= bytes.length ? bytes.readUInt32BE(at + 1) : bytes.length);
    if (bytes[at] !== NOTIFICATION) buffered.push(bytes.subarray(at, end));
    at = end;
  }
  return Buffer.concat(buffered);
}
