import { once } from "node:events";
import { connect } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { isRunning } from "../process";
import { type NatsOptions, natsSources, startNats } from "./index";

async function start(options: NatsOptions) {
  const server = await startNats({ fresh: true, ...options });
  onTestFinished(() => server.stop());
  return server;
}

/** A connection that says CONNECT and then these lines. Returns what the server says until it answers a PING. */
async function talk(url: string, lines: string, password = decodeURIComponent(new URL(url).password)) {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let said = "";
  socket.on("data", (chunk) => {
    said += chunk;
  });
  const signIn = JSON.stringify({ verbose: false, user: "grove", pass: password, protocol: 1, echo: true });
  await once(socket, "connect");
  socket.write(`CONNECT ${signIn}\r\n${lines}PING\r\n`);
  await expect.poll(() => /PONG|Authorization/.test(said)).toBe(true);
  return said.replace(/^INFO .*\r\n/, "");
}

// The two kinds answer equally, so what is proven with ours holds for the real one.
it.each(natsSources())("the server of source %s speaks the protocol", async (source) => {
  const { url } = await start({ source, publish: ["a.>"], subscribe: ["a.*", "b.*.c"] });
  const heard = await talk(
    url,
    "SUB a.* 1\r\nSUB b.*.c 2\r\nSUB c 3\r\nPUB a.x 2\r\n\r\n\r\nPUB a.x.y 1\r\n-\r\nUNSUB 1\r\nPUB a.x 1\r\n-\r\nPUB c 0\r\n\r\n",
  );
  const lines = [
    "-ERR 'Permissions Violation for Subscription to \"c\"'\r\n",
    "MSG a.x 1 2\r\n\r\n\r\n",
    "-ERR 'Permissions Violation for Publish to \"c\"'\r\n",
    "PONG\r\n",
  ];
  expect([...heard].sort()).toEqual([...lines.join("")].sort());
  for (const line of lines) expect(heard).toContain(line);
  expect(await talk(url, "", "wrong")).toContain("-ERR 'Authorization Violation'");
});

it.each(natsSources())("the server of source %s comes back after a kill, and ends", async (source) => {
  const server = await startNats({ fresh: true, source });
  const { pid = 0 } = server;
  process.kill(pid, "SIGKILL");
  await server.restart();
  expect(server.pid).not.toBe(pid);
  expect(await talk(server.url, "")).toBe("PONG\r\n");
  process.kill(server.pid ?? 0, "SIGSTOP");
  await server.stop();
  expect(isRunning(server.pid ?? 0)).toBe(false);
});

it("uses the server of NATS_TEST_URL", async () => {
  const { url } = await start({});
  vi.stubEnv("NATS_TEST_URL", url);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await startNats()).toMatchObject({ url, source: "environment" });
});
