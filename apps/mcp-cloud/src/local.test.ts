import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import type { LocalFile } from "@grove/schemas";
import { type Tenant, useApi } from "@grove/test-api";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { afterAll, beforeAll, expect, it } from "vitest";
import { call, connect } from "./testing/client";

const api = useApi({ LOCAL: "true" });
const anyId = "0199aaaa-0000-7000-8000-000000000001";
const directory = await temporaryDirectory(afterAll);
let ada: Tenant;
beforeAll(async () => {
  ada = await api.signUp("ada");
});

/** Writes `local.json`, as the launcher does. */
async function say({ apiKey }: Pick<Tenant, "apiKey">) {
  const proofKey = (await readFile(join(api.dataDir, "proof.key"), "utf8")).trim();
  const { organizationId } = ada;
  const file: LocalFile = {
    apiUrl: api.url,
    apiKey,
    proofKey,
    organizationId,
    deviceId: anyId,
    groveHome: join(directory, "device"),
  };
  await writeFile(join(directory, "local.json"), JSON.stringify(file));
}

const start = () => connect({ API_KEY: "", API_URL: "" }, ["--local", directory]);

it("follows the key of its Grove, and finds it once it has been written", async () => {
  const client = await start();
  expect((await call(client, "list_members")).text).toMatch(/^api_unreachable: /);
  await say({ apiKey: "grk_unknown" });
  expect((await call(client, "list_members")).text).toBe("Authentication required");
  await say(ada);
  expect((await call(client, "list_members")).text).toContain(ada.email);
});

it("sends no key to a program that has taken the port", async () => {
  await say(ada);
  const client = await start();
  expect((await call(client, "list_members")).text).toContain(ada.email);
  await api.stop("SIGKILL");
  const heard: string[] = [];
  const squatter = createServer((request, response) => {
    heard.push(`${request.url} ${JSON.stringify(request.headers)}`);
    response.end(JSON.stringify({ proof: "ab".repeat(32) }));
  }).listen(Number(new URL(api.url).port), "127.0.0.1");
  await once(squatter, "listening");
  const refused = await call(client, "list_members");
  expect(refused.text).toMatch(/^api_unreachable: .*NOT_PROVEN/);
  squatter.close();
  squatter.closeAllConnections();
  expect(heard.join()).toContain("/api/proof");
  expect(heard.join()).not.toMatch(/grk_|authorization/i);
  await api.start();
  expect((await call(client, "list_members")).text).toContain(ada.email);
});

it("does not serve others with that key", async () => {
  await expect(connect({}, ["--local", directory, "--http"])).rejects.toThrow();
});
