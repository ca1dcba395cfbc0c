import { type Database, newId } from "@grove/db";
import type { CommandDelivery, DeviceEvent } from "@grove/schemas";
import { connectFakeDevice, type DeviceWire, type FakeDevice } from "@grove/testing/device";
import type { Kysely } from "kysely";
import { type StockClient, stockClient } from "./server";

export interface TestDevice extends FakeDevice<DeviceEvent> {
  client: StockClient;
  journalId: string;
}

/** A device with a real device key, which passes each command to `run`. */
export function connectDevice(
  url: string,
  deviceKey: string,
  options: {
    journalId?: string;
    capabilities?: string[];
    agentVersion?: string;
    run?: (command: CommandDelivery, device: TestDevice) => unknown;
    answersHeartbeats?: boolean;
    /** The contents of its journal on disk; see `device.connect`. Without this option, the device has none. */
    journal?: { epoch: number; newestBegun?: string };
  } = {},
): TestDevice {
  const { journalId = newId(), capabilities = ["list_projects"], agentVersion = "1.0.0-test" } = options;
  const client = stockClient(url, deviceKey);
  const input = { journalId, agentVersion, capabilities, ...options.journal };
  const wire: DeviceWire<DeviceEvent> = {
    open: (onData, onEnd) => {
      const subscription = client.device.connect.subscribe(input, {
        onData,
        onComplete: () => onEnd(),
        onError: onEnd,
        // A stream that was cut: this device does not reconnect by itself.
        onConnectionStateChange: (state) => {
          if (state.state !== "connecting" || !state.error) return;
          subscription.unsubscribe();
          onEnd();
        },
      });
      return () => subscription.unsubscribe();
    },
    heartbeat: (answer) => client.agent.heartbeat.mutate(answer),
  };
  const connected = connectFakeDevice(wire, {
    answersHeartbeats: options.answersHeartbeats,
    onEvent: (event) => {
      if (event.type === "command") options.run?.(event, device);
    },
  });
  const device: TestDevice = { ...connected, client, journalId };
  return device;
}

/** Takes a device offline as the death of its stream's instance would, although the stream stays open. */
export const loseInstance = (db: Kysely<Database>, deviceId: string) =>
  db
    .updateTable("devices")
    .set({ instance_id: newId(), present_until: null })
    .where("id", "=", deviceId)
    .execute();

/** Begins a command: the stream of a device that does not within five seconds is ended. */
export const begin = ({ id }: { id: string }, { client, journalId }: TestDevice) =>
  client.agent.start.mutate({ id, journalId });

/**
 * Resolves once the API reports the device as online, or offline. Polls until then; the test's own time-out bounds it.
 */
export async function untilStatus(
  client: StockClient,
  organizationId: string,
  deviceId: string,
  status: "online" | "offline",
): Promise<void> {
  for (;;) {
    const devices = await client.device.list.query({ organizationId, status });
    if (devices.some((device) => device.id === deviceId)) return;
  }
}
