import { once } from "node:events";
import { open, rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";

/*
 * A socket in a directory shows that a process lives, even to processes of other containers: their pids are unknown
 * there, but the kernel refuses connections to a socket once its process has ended (unix(7)). Only Linux has such
 * containers. A file system without sockets, for example of a mounted share, has none of this.
 */

/** A path of at most 107 bytes is allowed, so the socket is named by its directory's file descriptor. */
async function atDirectory<T>(
  directory: string,
  use: (path: string) => Promise<T>,
  name: string,
): Promise<T> {
  const handle = await open(directory, "r");
  try {
    return await use(join("/proc/self/fd", `${handle.fd}`, name));
  } finally {
    await handle.close();
  }
}

/**
 * Listens at a socket for as long as this process lives.
 * @returns undefined where that is not possible
 */
export async function listenAt(
  directory: string,
  name: string,
): Promise<{ close(): Promise<void> } | undefined> {
  if (process.platform !== "linux") return undefined;
  const server = createServer((connection) => {
    connections.add(connection.unref());
    connection.on("error", () => {}).on("close", () => connections.delete(connection));
  });
  const connections = new Set<Socket>();
  const isListening = await atDirectory(
    directory,
    async (path) => {
      server.listen(path).unref();
      return once(server, "listening").then(
        () => true,
        () => false,
      );
    },
    name,
  );
  if (!isListening) return undefined;
  return {
    close: async () => {
      for (const connection of connections) connection.destroy();
      server.close();
      await rm(join(directory, name), { force: true });
    },
  };
}

/** Connects to the process that listens at a socket; undefined if it has ended, or there is no socket. */
export async function connectTo(directory: string, name: string): Promise<Socket | undefined> {
  if (process.platform !== "linux") return undefined;
  return atDirectory(
    directory,
    async (path) => {
      const connection = connect(path);
      return once(connection, "connect").then(
        () => connection.on("error", () => {}),
        () => undefined,
      );
    },
    name,
  );
}

/** Resolves when the process at the other end has ended, or no longer listens. */
export async function untilClosed(connection: Socket, signal?: AbortSignal): Promise<void> {
  try {
    if (!connection.closed) await once(connection.resume(), "close", { signal });
  } finally {
    connection.destroy();
  }
}
