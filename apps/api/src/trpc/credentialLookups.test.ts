import { createSecret } from "@grove/auth";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { useTestServer } from "../testing/server";

const server = await useTestServer({
  bounds: { running: 1, queued: 3, waiting: 1, maxConcurrency: 3, minConcurrency: 3 },
});

const get = (secret: string, path = "user.get") =>
  fetch(`${server.url}/api/trpc/${path}`, { headers: { authorization: `Bearer ${secret}` } });

const statusOf = async (secret: string) => (await get(secret)).status;

/** Runs a test while no credential can be looked up, then lets all lookups continue. */
async function whileLocked(test: () => Promise<void>): Promise<void> {
  const locked = await server.database.db.startTransaction().execute();
  try {
    // On the embedded engine the transaction alone holds the one connection.
    await sql`lock table sessions, api_keys, devices in access exclusive mode`.execute(locked);
    await test();
  } finally {
    await locked.rollback().execute();
  }
}

it.each(["session", "api_key", "device"] as const)(
  "wrong credentials of a network (%s) share one bound, which others do not",
  async (kind) => {
    const { token } = await server.signUp();
    expect(await statusOf(token)).toBe(200);
    expect(await statusOf(createSecret(kind).secret)).toBe(401);
    const refused: number[] = [];
    let wrong: Promise<number>[] = [];
    let own: Promise<number> | undefined;
    await whileLocked(async () => {
      wrong = Array.from({ length: 20 }, async () => {
        const status = await statusOf(createSecret(kind).secret);
        if (status !== 401) refused.push(status);
        return status;
      });
      // One is looked up, and three wait.
      await expect.poll(() => refused.length).toBe(16);
      own = statusOf(token);
    });
    expect(await own).toBe(200);
    expect((await Promise.all(wrong)).filter((status) => status === 401)).toHaveLength(4);
    expect(new Set(refused)).toEqual(new Set([429]));
  },
);

it("one credential's lookups leave capacity to others, and a full server admits only known devices", async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => server.signUp()));
  const [ada] = people;
  if (!ada) throw new Error("sign-up made no account");
  const { organizationId } = ada;
  const { apiKey: deviceKey } = await ada.client.device.register.mutate({
    organizationId,
    name: "d",
    platform: "linux",
  });
  expect(await statusOf(deviceKey)).toBe(401);
  const answers: Promise<number>[] = [];
  await whileLocked(async () => {
    answers.push(...people.map(({ token }) => statusOf(token)));
    await expect.poll(() => statusOf(createSecret("device").secret)).toBe(503);
    answers.push(statusOf(deviceKey));
  });
  expect(await Promise.all(answers)).toEqual([200, 200, 200, 200, 200, 200, 401]);
});

it("a call that was just refused is refused again without a lookup", async () => {
  const { token, client, organizationId } = await server.signUp();
  const { id: deviceId } = await client.device.register.mutate({
    organizationId,
    name: "d",
    platform: "linux",
  });
  const stop = new AbortController();
  const execute = (signal?: AbortSignal) =>
    fetch(`${server.url}/api/trpc/agent.execute`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({
        organizationId,
        deviceId,
        tool: "list_projects",
        params: {},
        waitMs: 50_000,
        ifOffline: "queue",
      }),
      signal: signal ?? null,
    });
  const waiting = execute(stop.signal).catch(() => undefined);
  await expect.poll(async () => (await execute()).status).toBe(429);
  const before = server.statements.length;
  const again = await execute();
  expect([again.status, again.headers.get("retry-after")]).toEqual([429, "1"]);
  expect(server.statements.slice(before)).toEqual([]);
  // Another call of the same caller is answered.
  expect(await statusOf(token)).toBe(200);
  stop.abort();
  await waiting;
});

it("signing out with wrong credentials has the same bound", async () => {
  const signOut = async () =>
    (
      await fetch(`${server.url}/api/auth/sign-out`, {
        method: "POST",
        headers: { authorization: `Bearer ${createSecret("session").secret}` },
      })
    ).status;
  expect(await statusOf(createSecret("session").secret)).toBe(401);
  const statuses: number[] = [];
  let all: Promise<unknown> | undefined;
  await whileLocked(async () => {
    all = Promise.all(Array.from({ length: 10 }, async () => statuses.push(await signOut())));
    await expect.poll(() => statuses.length).toBe(6);
  });
  await all;
  expect(statuses.slice(0, 6)).toEqual(Array(6).fill(429));
});
