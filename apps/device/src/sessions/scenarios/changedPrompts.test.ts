import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it, onTestFinished } from "vitest";
import { node, startSessionDevice, startTestSession } from "../../testing/session";

const PROMPTS = Number(process.env.CHANGED_PROMPTS ?? 20);

/** Asks the next question for each line that arrives on a socket. It replies after it has written the question. */
const changing = (socket: string) =>
  node(
    `const { appendFileSync } = require("node:fs");
    let n = 0;
    const ask = () => process.stdout.write("\\x1b[2J\\x1b[HRun command " + ++n + "?\\r\\n❯ 1. Yes\\r\\n  2. No\\r\\n");
    process.stdin.setRawMode(true);
    process.stdin.on("data", (keys) => appendFileSync("keys", "[" + keys + " at " + n + "]"));
    const control = require("node:net").connect(${JSON.stringify(socket)});
    control.on("data", () => { ask(); control.write("."); });
    ask();`,
    "--",
    "{prompt}",
  );

it("no key reaches a question that has replaced the one that was answered", async () => {
  const socket = join(await temporaryDirectory(), "control");
  const server = createServer().listen(socket);
  onTestFinished(() => void server.close());
  const { device, workspace } = await startSessionDevice();
  const [session, [control]] = await Promise.all([
    startTestSession(device, workspace.id, { command: changing(socket) }),
    once(server, "connection") as Promise<[Socket]>,
  ]);
  onTestFinished(() => void control.destroy());
  await session.said("Run command 1?");
  const number = () => device.sessions.registry.get(session.id).screenNumber();
  for (let n = 1; n <= PROMPTS; n++) {
    const screen = await number();
    control.write("next");
    await once(control, "data");
    await expect(session.type("1", screen)).rejects.toMatchObject({ reason: "screen_changed" });
    await session.said(`Run command ${n + 1}?`);
  }
  expect(await readFile(join(workspace.path, "keys"), "utf8").catch(() => "")).toBe("");
  await session.type("1", await number());
  const keys = () => readFile(join(workspace.path, "keys"), "utf8").catch(() => "");
  await expect.poll(keys).toBe(`[1 at ${PROMPTS + 1}]`);
});
