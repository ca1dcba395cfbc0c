import { type Database, newId } from "@grove/db";
import type { DeviceEvent } from "@grove/schemas";
import type { Kysely } from "kysely";
import { type StockClient, stockClient } from "./server";

type CommandEvent = Extract<DeviceEvent, { type: "command" }>;

export interface TestDevice {
  client: StockClient;
  journalId: string;
  events: DeviceEvent[];
  /** Resolves when the stream has ended, with the error if the API gave one. */
  ended: Promise<unknown>;
  /** Resolves with the first matching event, past or future. */
  event<Type extends DeviceEvent["type"]>(
    type: Type,
    fits?: (event: Extract<DeviceEvent, { type: Type }>) => boolean,
  ): Promise<Extract<DeviceEvent, { type: Type }>>;
  disconnect(): void;
}

/**
 * A device as the wire sees it: it connects with a real device key, answers beats, and passes each command to `run`.
 */
export function connectDevice(
  url: string,
  deviceKey: string,
  options: {
    journalId?: string;
    capabilities?: string[];
    agentVersion?: string;
    run?: (command: CommandEvent, device: TestDevice) => unknown;
    answerBeats?: boolean;
    /** The contents of its journal on disk; see `device.connect`. Without it, this device has none. */
    journal?: { epoch: number; newestBegun?: string };
  } = {},
): TestDevice {
  const { journalId = newId(), capabilities = ["list_projects"], answerBeats = true } = options;
  const { agentVersion = "1.0.0-test" } = options;
  const client = stockClient(url, deviceKey);
  const events: DeviceEvent[] = [];
  const waiting = new Set<(event: DeviceEvent) => void>();
  let end = (_error?: unknown) => {};
  const ended = new Promise<unknown>((resolve) => {
    end = resolve;
  });
  const subscription = client.device.connect.subscribe(
    { journalId, agentVersion, capabilities, ...options.journal },
    {
      onData: (event) => {
        events.push(event);
        for (const listener of [...waiting]) listener(event);
        if (event.type === "beat" && answerBeats)
          client.agent.heartbeat
            .mutate({ epoch: event.epoch, beat: event.n, running: [] })
            .catch(() => undefined);
        if (event.type === "command") options.run?.(event, device);
      },
      onComplete: () => end(),
      onError: (error) => end(error),
      // A stream that was cut: this device does not reconnect by itself.
      onConnectionStateChange: (state) => {
        if (state.state === "connecting" && state.error) {
          subscription.unsubscribe();
          end();
        }
      },
    },
  );
  const device: TestDevice = {
    client,
    journalId,
    events,
    ended,
    disconnect: () => subscription.unsubscribe(),
    event: (type, fits = () => true) =>
      new Promise((resolve) => {
        const look = (event: DeviceEvent) => {
          if (!isOf(type, event) || !fits(event)) return false;
          waiting.delete(look);
          resolve(event);
          return true;
        };
        if (!events.some(look)) waiting.add(look);
      }),
  };
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

const isOf = <Type extends DeviceEvent["type"]>(
  type: Type,
  event: DeviceEvent,
): event is Extract<DeviceEvent, { type: Type }> => event.type === type;

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
