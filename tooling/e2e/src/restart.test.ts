import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@grove/client";
import { succeed } from "@grove/testing/process";
import { expect, it } from "vitest";
import { connectAgent } from "./support/agent";
import { type Grove, startAndFail } from "./support/grove";
import { createRepository } from "./support/repository";
import { useGrove } from "./support/useGrove";

const fresh = useGrove();
const { start } = fresh;

const apiUrlOfDevice = async ({ local }: Grove): Promise<string> =>
  JSON.parse(await readFile(join(local.groveHome, "device.json"), "utf8")).apiUrl;

it("continues with the same address, key, device and workspaces, and follows another port", async () => {
  const first = await start("--port", "0");
  await createRepository(fresh.machine, "app");
  await succeed([...first.announced.addProject, join(fresh.machine.root, "app")], { env: fresh.machine.env });
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
  expect(third.local).toEqual({ ...first.local, apiUrl: third.announced.apiUrl });
  expect(third.announced.apiUrl).not.toBe(first.announced.apiUrl);
  expect(await apiUrlOfDevice(third)).toBe(third.announced.apiUrl);
  expect(await devices(third)).toMatchObject([{ id: first.local.deviceId, status: "online" }]);
});

it("completes a first run that was cut short, and replaces invalid credentials", async () => {
  const first = await start("--port", "0");
  await first.stop();

  // As if the first run had been killed before it wrote this file.
  await rm(first.announced.localFile);
  const second = await start("--port", "0");
  expect(second.local).toEqual({
    ...first.local,
    apiUrl: second.announced.apiUrl,
    apiKey: second.local.apiKey,
  });
  const lost = createClient({ apiUrl: second.announced.apiUrl, token: first.local.apiKey });
  await expect(lost.user.get.query()).rejects.toMatchObject({ data: { code: "UNAUTHORIZED" } });

  const { organizationId, deviceId, apiKey, apiUrl } = second.local;
  await createClient({ apiUrl, token: apiKey }).device.revoke.mutate({ organizationId, id: deviceId });
  await expect
    .poll(() => second.program.stderr)
    .toContain("start it again, which registers this machine again.");
  await second.stop();
  const third = await start();
  expect(third.local).toEqual({ ...second.local, deviceId: third.local.deviceId });
  expect(third.local.deviceId).not.toBe(deviceId);
  expect(await devices(third)).toMatchObject([
    { id: third.local.deviceId, status: "online" },
    { id: deviceId, offlineReason: "revoked" },
  ]);
  await third.stop();

  await rm(join(third.announced.dataDir, "owner.json"));
  await rm(third.announced.localFile);
  const { code, stderr } = await startAndFail(fresh.machine, "--port", "0");
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /owner\.json, is missing\. Restore it from a copy\. Without a copy, stop Grove and start it with another --data-dir\.\n$/,
  );
  expect(await readdir(third.announced.dataDir)).not.toContain("owner.json");
});

const devices = ({ announced, local }: Grove) =>
  createClient({ apiUrl: announced.apiUrl, token: local.apiKey }).device.list.query({
    organizationId: announced.organizationId,
    includeRevoked: true,
  });
