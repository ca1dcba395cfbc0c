import { tmpdir } from "node:os";
import { expect, it, onTestFinished } from "vitest";
import { createLog } from "../lib/log";
import { start } from "../server";
import { failure, password, stockClient, useTestServer } from "../testing/server";

const server = await useTestServer();
const ada = await server.signUp();

it("refuses changes while the embedded database's disk is full, and accepts them again when space is freed", async () => {
  const { config, vault } = server.services;
  // More space than any disk has.
  const disk = { dataDir: tmpdir(), minFreeBytes: Number.MAX_SAFE_INTEGER };
  const full = await start({
    database: server.database,
    config: { ...config, disk },
    vault,
    host: "127.0.0.1",
    port: 0,
    log: createLog("silent"),
  });
  onTestFinished(() => full.close());
  const client = stockClient(full.url, ada.token);
  const refused = { code: "SERVICE_UNAVAILABLE", reason: "disk_full" };
  expect(await failure(client.user.update.mutate({ name: "Grace" }))).toMatchObject(refused);
  expect((await client.user.get.query()).name).toBe("Ada");
  const signIn = await fetch(`${full.url}/api/auth/sign-in`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: ada.user.email, password }),
  });
  expect([signIn.status, await signIn.json()]).toMatchObject([503, { error: { data: refused } }]);
  const ready = await fetch(`${full.url}/ready`);
  expect([ready.status, await ready.json()]).toMatchObject([503, { error: { data: refused } }]);
  expect((await fetch(`${full.url}/health`)).status).toBe(200);

  disk.minFreeBytes = 0;
  await expect
    .poll(() => client.user.update.mutate({ name: "Grace" }).catch(() => null), { timeout: 10_000 })
    .toMatchObject({ name: "Grace" });
  expect((await fetch(`${full.url}/ready`)).status).toBe(200);
}, 20_000);
