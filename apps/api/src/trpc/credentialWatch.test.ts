import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { wakeStreams } from "../dispatch/stream/wakeStreams";
import { start } from "../server";
import { connectDevice, untilStatus } from "../testing/device";
import { addMember, makeSiteAdmin } from "../testing/fixtures";
import { failure, type StockClient, stockClient, useTestServer } from "../testing/server";
import { watch } from "../testing/watch";

const server = await useTestServer();
const ada = await server.signUp("Ada");
const { organizationId } = ada;
const { db } = server.database;

/** A command that a device has, and does not end by itself. */
const device = await ada.client.device.register.mutate({ organizationId, name: "a", platform: "linux" });
connectDevice(server.url, device.apiKey);
await untilStatus(ada.client, organizationId, device.id, "online");
const { id: commandId } = await ada.client.agent.execute.mutate({
  organizationId,
  deviceId: device.id,
  tool: "list_projects",
  params: {},
  waitMs: 0,
  timeoutMs: 3_600_000,
});

/** A call that waits for that command, and a stream of it; both use this client's credential. */
async function hanging(client: StockClient) {
  const waiting = failure(client.agent.getCommand.query({ organizationId, id: commandId, waitMs: 55_000 }));
  const events = watch((handlers) => client.task.watch.subscribe({ organizationId }, handlers));
  await events.ready();
  return {
    /** How both ended. */
    end: async () => ({
      call: (await waiting).code,
      stream: (await failure(events.event(() => false))).code,
    }),
  };
}
const unauthorized = { call: "UNAUTHORIZED", stream: "UNAUTHORIZED" };
/** For a very busy machine; usually a second. The read that makes up for a lost announcement comes after twenty. */
const inTime = 15_000;

/** Revokes the credential, and returns how long it then takes until everything attached to it has ended. */
async function timed(hangs: { end(): Promise<unknown> }, revoke: () => Promise<unknown>) {
  await revoke();
  const revokedAt = performance.now();
  const ended = await hangs.end();
  return { ended, ms: performance.now() - revokedAt };
}

describe("streams and waiting calls end within a second of their credential", () => {
  it("of an API key that is revoked", async () => {
    const key = await ada.client.apiKey.create.mutate({ organizationId, name: "short" });
    const client = server.client(key.key);
    const { ended, ms } = await timed(await hanging(client), () =>
      ada.client.apiKey.revoke.mutate({ organizationId, id: key.id }),
    );
    expect(ended).toEqual(unauthorized);
    expect(ms).toBeLessThan(inTime);
    expect(await failure(client.user.get.query())).toMatchObject({ code: "UNAUTHORIZED" });
  });

  it("of an API key that expires", async () => {
    const key = await ada.client.apiKey.create.mutate({ organizationId, name: "short" });
    await sql`update api_keys set expires_at = now() + interval '2 seconds' where id = ${key.id}`.execute(db);
    const hangs = await hanging(server.client(key.key));
    expect(await hangs.end()).toEqual(unauthorized);
    const { rows } = await sql<{ late: boolean }>`
      select now() - expires_at between '0 s' and '15 s' as late from api_keys where id = ${key.id}`.execute(
      db,
    );
    expect(rows).toEqual([{ late: true }]);
  });

  it("of a session that is signed out, and of no other", async () => {
    const other = await hanging(ada.client);
    const { token } = await server.signIn(ada.user.email);
    const { ended, ms } = await timed(await hanging(server.client(token)), () =>
      fetch(`${server.url}/api/auth/sign-out`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
      }),
    );
    expect(ended).toEqual(unauthorized);
    expect(ms).toBeLessThan(inTime);
    const still = await Promise.race([other.end(), ada.client.user.get.query()]);
    expect(still).toMatchObject({ id: ada.user.id });
  });

  it("of a member who is removed, with any credential", async () => {
    const bob = await server.signUp("Bob");
    await addMember(server, organizationId, bob, "admin");
    const key = await bob.client.apiKey.create.mutate({ organizationId, name: "bob's" });
    const hangs = [await hanging(bob.client), await hanging(server.client(key.key))];
    await ada.client.organization.removeMember.mutate({ organizationId, userId: bob.user.id });
    for (const { end } of hangs) expect(await end()).toEqual(unauthorized);
    expect(await bob.client.user.get.query()).toMatchObject({ id: bob.user.id });
  });

  it("of a user who is disabled: sessions, keys and devices", async () => {
    const bob = await server.signUp("Bob");
    await addMember(server, organizationId, bob, "admin");
    const root = await server.signUp("Root");
    await makeSiteAdmin(server, root);
    const key = await bob.client.apiKey.create.mutate({ organizationId, name: "bob's" });
    const own = await bob.client.device.register.mutate({ organizationId, name: "b", platform: "linux" });
    const connected = connectDevice(server.url, own.apiKey);
    await connected.event("beat");
    const hangs = [await hanging(bob.client), await hanging(server.client(key.key))];
    await root.client.admin.setUserDisabled.mutate({ id: bob.user.id, disabled: true });
    for (const { end } of hangs) expect(await end()).toEqual(unauthorized);
    await connected.event("revoked");
    await connected.ended;
    for (const token of [bob.token, key.key])
      expect(await failure(server.client(token).user.get.query())).toMatchObject({ code: "UNAUTHORIZED" });
    expect(await failure(server.client(own.apiKey).device.self.query())).toMatchObject({
      code: "UNAUTHORIZED",
    });
  });
});

it("ends even while no announcements arrive", async () => {
  const { database, services } = server;
  const notifier = {
    ...database.notifier,
    connected: false,
    subscribe: () => () => {},
    onReconnect: () => () => {},
  };
  const deaf = await start({ ...services, database: { ...database, notifier }, host: "127.0.0.1", port: 0 });
  const key = await ada.client.apiKey.create.mutate({ organizationId, name: "short" });
  const hangs = await hanging(stockClient(deaf.url, key.key));
  await ada.client.apiKey.revoke.mutate({ organizationId, id: key.id });
  expect(await hangs.end()).toEqual(unauthorized);

  const own = await ada.client.device.register.mutate({ organizationId, name: "b", platform: "linux" });
  const connected = connectDevice(deaf.url, own.apiKey);
  await connected.event("beat");
  await ada.client.device.revoke.mutate({ organizationId, id: own.id });
  await wakeStreams(deaf.services);
  await connected.event("revoked");
  await deaf.close();
}, 40_000);
