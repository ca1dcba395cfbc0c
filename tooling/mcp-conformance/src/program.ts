import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** The built cloud server. */
export const server = fileURLToPath(
  new URL("dist/main.js", import.meta.resolve("@grove/mcp-cloud/package.json")),
);

/** A program of one of our dependencies. It runs on the Node next to it, otherwise on the machine's. */
const bin = (name: string): string => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url));

const TIMEOUT_MS = 100_000;

/** Runs a dependency's program to its end. */
export async function run(name: string, args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(bin(name), args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    timeout: TIMEOUT_MS,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  return { out, err, code };
}

/**
 * Serves over HTTP until the test ends. Returns the address of a proxy that adds the credential, which the server
 * requires and the official suite cannot send; everything else passes through unchanged.
 */
export async function serveHttp(): Promise<string> {
  const child = spawn(process.execPath, [server, "--http", "--port", "0"], {
    // No API is running there: any credential is accepted, and no scenario calls a tool.
    env: { PATH: process.env.PATH, API_URL: "http://127.0.0.1:9" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => {
    child.kill();
  });
  const [line] = await once(createInterface({ input: child.stderr }), "line");
  return withCredential(JSON.parse(line).url);
}

async function withCredential(target: string): Promise<string> {
  const proxy = createServer((request, response) => {
    const headers = { ...request.headers, authorization: "Bearer grk_conformance" };
    const { origin } = new URL(target);
    const onward = forward(`${origin}${request.url}`, { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  const { port } = proxy.address() as AddressInfo;
  return `http://127.0.0.1:${port}${new URL(target).pathname}`;
}
