import { once } from "node:events";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { runProgram, startProgram } from "@grove/testing/process";
import { onTestFinished } from "vitest";

/** The built cloud server. */
export const server = fileURLToPath(
  new URL("dist/main.js", import.meta.resolve("@grove/mcp-cloud/package.json")),
);

/** A program of one of our dependencies. It runs on the Node next to it, otherwise on the machine's. */
const bin = (name: string): string => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url));

/** Runs a dependency's program to its end. */
export const run = (name: string, args: readonly string[], env: Record<string, string> = {}) =>
  runProgram([bin(name), ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    endAfter: onTestFinished,
  });

/**
 * Serves over HTTP until the test ends. Returns the address of a proxy that adds the credential, which the server
 * requires and the official suite cannot send; everything else passes through unchanged.
 */
export async function serveHttp(): Promise<string> {
  const program = startProgram([process.execPath, server, "--http", "--port", "0"], {
    // No API is running there: any credential is accepted, and no scenario calls a tool.
    env: { PATH: process.env.PATH, API_URL: "http://127.0.0.1:9" },
    endAfter: onTestFinished,
  });
  return withCredential(JSON.parse(await program.says('"msg":"listening"')).url);
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
