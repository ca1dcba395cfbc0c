import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createClient } from "@grove/client";
import { afterEach, beforeEach, expect, it } from "vitest";
import { connectAgent } from "./support/agent";
import { type Grove, grove, processesOf, startAndFail, startGrove } from "./support/grove";
import { createMachine, type Machine } from "./support/machine";
import { isRunning } from "./support/processes";
import { createRepository } from "./support/repository";
import { succeed } from "./support/run";

let machine: Machine;
let running: Grove | undefined;

beforeEach(async () => {
  machine = await createMachine();
});

afterEach(async () => {
  await running?.stop();
  running = undefined;
  await machine.remove();
});

const start = async (...args: string[]): Promise<Grove> => {
  running = await startGrove(machine, ...args);
  return running;
};

const apiUrlOfDevice = async ({ local }: Grove): Promise<string> =>
  JSON.parse(await readFile(join(local.groveHome, "device.json"), "utf8")).apiUrl;

it("goes on where it was: the same address, key, device and workspaces; and follows another port", async () => {
  const first = await start("--port", "0");
  await createRepository(machine, "app");
  await succeed([...first.said.addProject, join(machine.root, "app")], { env: machine.env });
  const agent = await connectAgent(first);
  const [project] = await agent.listProjects();
  const made = await agent.createWorkspaces(project?.id ?? "", [{ name: "one" }, { name: "two" }]);
  await agent.close();
  expect(await first.stop()).toBe(0);

  const second = await start();
  expect(second.local).toEqual(first.local);
  const again = await connectAgent(second);
  const paths = (await again.listWorkspaces()).map(({ path }) => path);
  expect(paths.sort()).toEqual(made.map(({ path }) => path).sort());
  await again.close();
  expect(await second.stop("SIGINT")).toBe(0);

  const third = await start("--port", "0");
  expect(third.local).toEqual({ ...first.local, apiUrl: third.said.apiUrl });
  expect(third.said.apiUrl).not.toBe(first.said.apiUrl);
  expect(await apiUrlOfDevice(third)).toBe(third.said.apiUrl);
  expect(await devices(third)).toMatchObject([{ id: first.local.deviceId, status: "online" }]);
});

it("leaves nothing running when it is killed, and starts again after that", async () => {
  const first = await start("--port", "0");
  const { api, device } = await processesOf(first.said.dataDir);
  if (api === undefined || device === undefined) throw new Error("nothing runs");
  first.child.kill("SIGKILL");
  await expect.poll(() => [api, device].filter(isRunning)).toEqual([]);
  expect(await processesOf(first.said.dataDir)).toEqual({ api: undefined, device: undefined });

  const second = await start();
  expect(second.local).toEqual(first.local);
});

it("completes a first run that was cut short, and replaces what is no longer good", async () => {
  const first = await start("--port", "0");
  await first.stop();

  // As if it had been killed before it wrote these.
  await rm(first.said.localFile);
  const second = await start("--port", "0");
  expect(second.local).toEqual({ ...first.local, apiUrl: second.said.apiUrl, apiKey: second.local.apiKey });
  const lost = createClient({ apiUrl: second.said.apiUrl, token: first.local.apiKey });
  await expect(lost.user.get.query()).rejects.toMatchObject({ data: { code: "UNAUTHORIZED" } });

  const { organizationId, deviceId, apiKey, apiUrl } = second.local;
  await createClient({ apiUrl, token: apiKey }).device.revoke.mutate({ organizationId, id: deviceId });
  await expect.poll(() => second.stderr()).toContain("start it again to register this machine anew.");
  await second.stop();
  const third = await start();
  expect(third.local).toEqual({ ...second.local, deviceId: third.local.deviceId });
  expect(third.local.deviceId).not.toBe(deviceId);
  expect(await devices(third)).toMatchObject([
    { id: third.local.deviceId, status: "online" },
    { id: deviceId, offlineReason: "revoked" },
  ]);
  await third.stop();

  await rm(join(third.said.dataDir, "owner.json"));
  await rm(third.said.localFile);
  const { code, stderr } = await startAndFail(machine, "--port", "0");
  expect(code).toBe(1);
  expect(stderr).toMatch(/owner\.json, is gone\. Restore that file, or start with another --data-dir\.\n$/);
  expect(await readdir(third.said.dataDir)).not.toContain("owner.json");
});

it("says in one line that its port is taken", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  try {
    const { code, stdout, stderr } = await startAndFail(machine, "--port", `${port}`);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr.trim().split("\n").slice(1)).toEqual([
      `Port ${port} on 127.0.0.1 is taken. Stop what listens there, or set PORT to another one.`,
    ]);
  } finally {
    other.close();
  }
  await start("--port", "0");
});

it("is one of two that start at the same moment", async () => {
  const both = await Promise.allSettled([start("--port", "0"), start("--port", "0")]);
  const [won] = both.filter((one) => one.status === "fulfilled");
  const [lost] = both.filter((one) => one.status === "rejected");
  expect(String(lost?.reason)).toMatch(/\.grove is in use by process \d+/);
  running = won?.value;
  expect(running && (await devices(running))).toMatchObject([{ status: "online" }]);
});

it("ends, and says why, when its API has ended", async () => {
  const { said, child, stderr } = await start("--port", "0");
  const { api = 0, device = 0 } = await processesOf(said.dataDir);
  const exit = once(child, "exit");
  process.kill(api, "SIGKILL");
  expect(await exit).toEqual([1, null]);
  expect(stderr()).toMatch(/api\/dist\/main\.js was ended by SIGKILL\. Its log is .*api\.log\.\n$/);
  expect(isRunning(device)).toBe(false);
});

it("runs the API alone when told so, and makes neither account nor device", async () => {
  const [file = "", ...args] = grove("start", "--bare", "--port", "0");
  const { env, root } = machine;
  const child = spawn(file, args, { env, cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const exit = once(child, "exit");
  let url: string | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    url ??= JSON.parse(line).msg === "listening" ? JSON.parse(line).url : undefined;
    if (url) break;
  }
  expect((await fetch(`${url}/ready`)).status).toBe(200);
  child.kill("SIGTERM");
  expect(await exit).toEqual([0, null]);
  const made = await readdir(join(root, ".grove"));
  for (const name of ["local.json", "owner.json", "device", "logs"]) expect(made).not.toContain(name);
});

it("takes a DATABASE_URL for that, too", async () => {
  const env = { ...machine.env, DATABASE_URL: "postgres://127.0.0.1:1/none" };
  const { code, stdout, stderr } = await startAndFail({ ...machine, env });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/DATABASE_URL/);
  expect(await readdir(machine.root)).not.toContain(".grove");
});

const devices = ({ said, local }: Grove) =>
  createClient({ apiUrl: said.apiUrl, token: local.apiKey }).device.list.query({
    organizationId: said.organizationId,
  });
