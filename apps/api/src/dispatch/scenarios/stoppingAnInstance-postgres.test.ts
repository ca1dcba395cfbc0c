import { expect, it } from "vitest";
import { isOnline } from "../../devices/presence";
import { connectDevice, untilStatus } from "../../testing/device";
import { failure, stockClient, useTestServer } from "../../testing/server";

const DEVICES = 12;

/** Longer than any connect takes. Every device leaves by chance within it, so they do not all leave together. */
const server = await useTestServer({ drainMs: 3_000 });
const ada = await server.signUp("Ada");
const { organizationId } = ada;

it("lets devices leave one by one when it stops, takes no new ones, and shows none offline", async () => {
  const registered = await Promise.all(
    Array.from({ length: DEVICES }, (_, n) =>
      ada.client.device.register.mutate({ organizationId, name: `machine ${n}`, platform: "linux" }),
    ),
  );
  const devices = registered.map(({ apiKey }) => connectDevice(server.url, apiKey));
  for (const { id } of registered) await untilStatus(ada.client, organizationId, id, "online");
  const ready = async () => (await fetch(`${server.url}/ready`)).status;
  expect(await ready()).toBe(200);

  const left: number[] = [];
  const leaving = devices.map(async (device) => {
    await device.event("drain");
    left.push(performance.now());
  });
  const closed = server.close();
  expect(await ready()).toBe(503);
  const late = await ada.client.device.register.mutate({ organizationId, name: "late", platform: "linux" });
  const refused = new Promise<unknown>((resolve) => {
    const input = { journalId: crypto.randomUUID(), agentVersion: "1.0.0", capabilities: [] };
    const subscription = stockClient(server.url, late.apiKey).device.connect.subscribe(input, {
      onError: resolve,
      onConnectionStateChange: ({ error }) => {
        if (!error) return;
        subscription.unsubscribe();
        resolve(error);
      },
    });
  });
  expect(await failure(Promise.reject(await refused))).toMatchObject({ reason: "server_draining" });
  await Promise.all(leaving);
  // Together, they would have left within a few milliseconds.
  expect(Math.max(...left) - Math.min(...left)).toBeGreaterThan(100);
  await closed;
  const present = await server.database.db.selectFrom("devices").select("id").where(isOnline).execute();
  expect(present).toHaveLength(DEVICES);
});
