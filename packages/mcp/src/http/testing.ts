import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { fixtureServer } from "../fixture";
import { createLogger } from "../log";
import { createHttpServer, type HttpOptions } from "./server";

const quiet = createLogger("silent");

type Options = Partial<HttpOptions> & { admit?: (credential: string) => Promise<void> };

/** Admits every credential. */
export const everybody = async () => {};
/**
 * Starts a server on a free port and records what its tools were called with, by credential. `admit` decides which
 * credentials are known.
 */
export async function start({ admit = everybody, ...options }: Options = {}) {
  const words = new Map<string, string[]>();
  const { http, idle, close } = createHttpServer({
    createServer: (credential) => {
      const notes = { words: words.get(credential) ?? [], admit: () => admit(credential) };
      words.set(credential, notes.words);
      return fixtureServer(notes, quiet);
    },
    publicUrl: undefined,
    log: quiet,
    ...options,
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  onTestFinished(async () => {
    await close();
    http.closeAllConnections();
    http.close();
  });
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  return { url, words, idle, close };
}
