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

/** A program that one of our dependencies brings; it runs on the Node beside it, else on the machine's. */
const bin = (name: string): string => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url));

const TIMEOUT_MS = 100_000;

/** Runs a program of a dependency to its end. */
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
 * The server over HTTP until the test ends; gives the address of a proxy in front of it. The proxy adds a credential,
 * which the official suite cannot send and the server asks for. All else is passed on as it is.
 */
export async function serveHttp(): Promise<string> {
  const child = spawn(process.execPath, [server, "--http", "--port", "0"], {
    // Nobody there: any credential is taken, and no scenario calls a tool.
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
