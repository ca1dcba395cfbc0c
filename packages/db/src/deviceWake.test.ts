import { sql } from "kysely";
import { expect, it } from "vitest";
import { announceToDevice, type DeviceWake, deviceNotification, parseDeviceWake } from "./deviceWake";
import { newId } from "./ids";
import { useTestDatabase } from "./testing";

const { db, notifier } = await useTestDatabase();
const value = newId();

/** Subscribes to the wake-ups of a new device. */
function device() {
  const deviceId = newId();
  const wakes: (DeviceWake | undefined)[] = [];
  const end = notifier.subscribe("device_wake", deviceId, (event) => {
    if (event.kind === "notification") wakes.push(parseDeviceWake(event.detail));
  });
  return { deviceId, wakes, end };
}

it.each<DeviceWake>([
  { kind: "queued" },
  { kind: "claimed", value },
  { kind: "cancel", value },
  { kind: "settled", value },
  { kind: "watch", value },
  { kind: "epoch", value: "7" },
])("reads $kind as it was announced, by a statement and after one", async (wake) => {
  const { deviceId, wakes, end } = device();
  const column = wake.kind === "queued" ? wake : { ...wake, value: sql`value` };
  await sql`
    select ${deviceNotification(sql`device_id`, column)} from (
      select ${deviceId}::uuid as device_id, ${"value" in wake ? wake.value : ""}::text as value) as command`.execute(
    db,
  );
  announceToDevice(notifier, deviceId, wake);
  await expect.poll(() => wakes).toEqual([wake, wake]);
  end();
});

it("ignores a kind that it does not know", () => {
  expect(parseDeviceWake("newer 1")).toBeUndefined();
});
