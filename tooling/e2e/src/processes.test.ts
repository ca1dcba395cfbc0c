import { readdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { isRunning, startProgram } from "@grove/testing/process";
import { expect, it, onTestFinished } from "vitest";
import { connectAgent } from "./support/agent";
import { grove, processesOf, startAndFail } from "./support/grove";
import { useGrove } from "./support/useGrove";

const fresh = useGrove();
const { start } = fresh;

it("leaves nothing running when it is killed, and starts again after that", async () => {
  const first = await start("--port", "0");
  const { api, device } = await processesOf(first.announced.dataDir);
  if (api === undefined || device === undefined) throw new Error("nothing runs");
  first.program.child.kill("SIGKILL");
  await expect.poll(() => [api, device].filter(isRunning)).toEqual([]);
  expect(await processesOf(first.announced.dataDir)).toEqual({ api: undefined, device: undefined });

  const second = await start();
  expect(second.local).toEqual(first.local);
});

it("reports in one line that its port is taken", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  try {
    const { code, stdout, stderr } = await startAndFail(fresh.machine, "--port", `${port}`);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr.trim().split("\n").slice(1)).toEqual([
      `Port ${port} on 127.0.0.1 is already in use. Stop the program that uses it, or set PORT to another one.`,
    ]);
  } finally {
    other.close();
  }
  await start("--port", "0");
});

it("runs once when two are started at the same moment", async () => {
  const both = await Promise.allSettled([start("--port", "0"), start("--port", "0")]);
  const [won] = both.filter((one) => one.status === "fulfilled");
  const [lost] = both.filter((one) => one.status === "rejected");
  expect(String(lost?.reason)).toMatch(/\.grove is in use by process \d+/);
  if (!won) throw new Error("neither runs");
  const agent = await connectAgent(won.value);
  expect(await agent.listDevices()).toMatchObject([{ status: "online" }]);
  await agent.close();
});

it("runs only the API with --bare, and makes neither account nor device", async () => {
  const { env, root } = fresh.machine;
  const program = startProgram(grove("start", "--bare", "--port", "0"), {
    env,
    cwd: root,
    endAfter: onTestFinished,
  });
  const { url } = JSON.parse(await program.waitForLine('"msg":"listening"'));
  expect((await fetch(`${url}/ready`)).status).toBe(200);
  expect(await program.end("SIGTERM")).toBe(0);
  const made = await readdir(join(root, ".grove"));
  for (const name of ["local.json", "owner.json", "device", "logs"]) expect(made).not.toContain(name);
});

it("runs only the API with a DATABASE_URL, too", async () => {
  const env = { ...fresh.machine.env, DATABASE_URL: "postgres://127.0.0.1:1/none" };
  const { code, stdout, stderr } = await startAndFail({ ...fresh.machine, env });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/DATABASE_URL/);
  expect(await readdir(fresh.machine.root)).not.toContain(".grove");
});
