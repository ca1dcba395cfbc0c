import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("./run.fixture.ts", import.meta.url));
const running: ReturnType<typeof spawn>[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
});

const request = (id: number, method: string, params: object = {}) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
const initialize = request(1, "initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
});

function start() {
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), program], { stdio: "pipe" });
  running.push(child);
  const out: { id?: number; method?: string; result?: unknown }[] = [];
  const err: string[] = [];
  const waiting = new Set<() => void>();
  const collect = (stream: NodeJS.ReadableStream, each: (line: string) => void) =>
    createInterface({ input: stream }).on("line", (line) => {
      each(line);
      for (const recheck of waiting) recheck();
    });
  // Fails on any stdout line that is not JSON.
  collect(child.stdout, (line) => out.push(JSON.parse(line)));
  collect(child.stderr, (line) => err.push(line));
  const until = (found: () => boolean) =>
    new Promise<void>((resolve) => {
      const recheck = () => {
        if (!found()) return;
        waiting.delete(recheck);
        resolve();
      };
      waiting.add(recheck);
      recheck();
    });
  const exited = once(child, "exit").then(([code]) => code as number | null);
  return {
    child,
    out,
    err,
    until,
    exited,
    answered: (id: number) => until(() => out.some((line) => line.id === id)),
  };
}

/** Starts the server and a call that runs until it is aborted. */
async function startBusy() {
  const server = start();
  server.child.stdin.write(initialize + request(2, "tools/call", { name: "wait" }));
  await server.until(() => server.err.some((line) => line.includes("waiting")));
  return server;
}

describe("runStdio", () => {
  // Contract: mcp.stdio
  it("answers on stdout, keeps everything else off it, and ends with stdin", async () => {
    const { child, out, err, exited } = start();
    const initialized = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
    child.stdin.end(`${initialize}${initialized}\n${request(2, "tools/list")}`);
    expect(await exited).toBe(0);
    expect(out.map((line) => line.id ?? line.method)).toEqual([1, "notifications/initialized", 2]);
    expect(err).toContain("careless");
  });

  it("aborts calls in progress and ends when stdin does", async () => {
    const { child, out, err, exited } = await startBusy();
    child.stdin.end();
    expect(await exited).toBe(0);
    expect(err.some((line) => line.includes('"aborted"'))).toBe(true);
    // A client that has closed only its own side can still read the outcome of its call.
    expect(out.map((line) => line.id)).toEqual([1, 2]);
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "aborts calls in progress and ends on %s",
    async (signal) => {
      const { child, err, exited } = await startBusy();
      child.kill(signal);
      expect(await exited).toBe(0);
      expect(err.some((line) => line.includes('"aborted"'))).toBe(true);
    },
  );

  it("ends within 5 s although a handler does not", async () => {
    const { child, answered, until, err, exited } = start();
    child.stdin.write(initialize + request(2, "tools/call", { name: "echo", arguments: { word: "stay" } }));
    await answered(2);
    child.stdin.write(request(3, "tools/call", { name: "wait" }));
    await until(() => err.some((line) => line.includes("waiting")));
    const before = performance.now();
    child.stdin.end();
    expect(await exited).toBe(0);
    expect(performance.now() - before).toBeLessThan(5_000);
  });

  it("ends when its stdout is closed", async () => {
    const { child, answered, exited } = start();
    child.stdin.write(initialize);
    await answered(1);
    child.stdout.destroy();
    for (let id = 2; id < 50; id++) child.stdin.write(request(id, "tools/list"));
    expect(await exited).toBe(0);
  });

  it("continues after a line that is not JSON-RPC", async () => {
    const { child, answered, err } = start();
    child.stdin.write(`${initialize}nonsense\n[]\n${request(2, "ping")}`);
    await answered(2);
    // Standard error arrives by itself, sooner or later than the answers.
    await expect.poll(() => err.filter((line) => line.includes("protocol error"))).toHaveLength(2);
  });

  it("refuses a message of more than 4 MiB", async () => {
    const { child, err, exited } = start();
    child.stdin.on("error", () => undefined);
    child.stdin.write(`${initialize}${"x".repeat(5 * 1024 * 1024)}\n`);
    expect(await exited).toBe(1);
    expect(err.some((line) => line.includes("exceeded maximum size"))).toBe(true);
  });
});
