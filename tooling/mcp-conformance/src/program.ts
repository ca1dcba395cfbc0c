import { once } from "node:events";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { runProgram, startProgram } from "@grove/testing/process";
import { onTestFinished } from "vitest";

const built = (manifest: string): string => fileURLToPath(new URL("dist/main.js", manifest));

/** The built cloud server. */
export const server = built(import.meta.resolve("@grove/mcp-cloud/package.json"));

/** The built desktop server. */
export const desktop = built(import.meta.resolve("@grove/mcp-desktop/package.json"));

/** A program of one of our dependencies. It runs on the Node next to it, otherwise on the machine's. */
const bin = (name: string): string => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url));

/** Runs a dependency's program to its end. */
export const run = (name: string, args: readonly string[], env: Record<string, string> = {}) =>
  runProgram([bin(name), ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    endAfter: onTestFinished,
  });

/** Serves the cloud server over HTTP until the test ends. */
export async function serve(apiUrl: string): Promise<URL> {
  const program = startProgram([process.execPath, server, "--http", "--port", "0"], {
    env: { PATH: process.env.PATH, API_URL: apiUrl },
    endAfter: onTestFinished,
  });
  return new URL(JSON.parse(await program.waitForLine('"msg":"listening"')).url);
}

/**
 * Serves over HTTP until the test ends. Returns the address of a proxy that adds the credential, which the server
 * requires and the official suite cannot send; everything else passes through unchanged.
 */
export const serveHttp = async (): Promise<string> =>
  // No API is running there: any credential is accepted, and no scenario calls a tool.
  withCredential(await serve("http://127.0.0.1:9"));

async function withCredential(target: URL): Promise<string> {
  const proxy = createServer((request, response) => {
    const headers = { ...request.headers, authorization: "Bearer grk_conformance" };
    const onward = forward(
      `${target.origin}${request.url}`,
      { method: request.method, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
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
  return `http://127.0.0.1:${port}${target.pathname}`;
}
