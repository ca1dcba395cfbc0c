import { sql } from "kysely";
import { afterEach, expect } from "vitest";
import { sweep } from "../dispatch/end/sweep";
import { connectDevice, type TestDevice, untilStatus } from "./device";
import type { Person, TestServer } from "./server";

/** A command that is requested of a device without waiting for it. */
export const queued = { tool: "list_projects", params: {}, waitMs: 0, ifOffline: "queue" } as const;

/** A person's devices for a test file; after each test the connected ones disconnect. */
export function useOwnDevices(
  { url, services, database: { db } }: TestServer,
  { client, organizationId }: Person,
) {
  const connected: TestDevice[] = [];
  afterEach(() => {
    for (const device of connected.splice(0)) device.disconnect();
  });

  const register = () => client.device.register.mutate({ organizationId, name: "bench", platform: "linux" });

  const connect = (apiKey: string, options: Parameters<typeof connectDevice>[2] = {}) => {
    const device = connectDevice(url, apiKey, options);
    connected.push(device);
    return device;
  };

  /** A registered device, connected and online. */
  const online = async (options?: Parameters<typeof connectDevice>[2]) => {
    const { id, apiKey } = await register();
    const device = connect(apiKey, options);
    await untilStatus(client, organizationId, id, "online");
    return { id, apiKey, device };
  };

  const execute = (deviceId: string, more: object = {}) =>
    client.agent.execute.mutate({
      organizationId,
      deviceId,
      tool: "list_projects",
      params: {},
      waitMs: 0,
      ...more,
    });

  const command = (id: string) => client.agent.getCommand.query({ organizationId, id });

  /** Makes a command that was sent, not begun, and requeued by the sweeper, and that no device will claim. */
  const requeued = async () => {
    const { id, apiKey, device } = await online();
    const { id: commandId } = await execute(id);
    await device.event("command");
    await sql`update device_commands set claimed_at = now() - interval '2 minutes' where id = ${commandId}`.execute(
      db,
    );
    // As if the stream had broken in between.
    await sql`update devices set epoch = epoch + 1, present_until = now() + interval '20 seconds'
      where id = ${id}`.execute(db);
    await sweep(services);
    expect((await command(commandId)).status).toBe("queued");
    return { id, apiKey, device, commandId };
  };

  /** A command that seems to have been sent three times, was never begun, and is given up by the sweeper. */
  const givenUp = async () => {
    const { id, device } = await online();
    const { id: commandId } = await execute(id);
    await device.event("command");
    await sql`update device_commands set attempt = 3, claimed_at = now() - interval '2 minutes'
      where id = ${commandId}`.execute(db);
    await sweep(services);
    return { device, commandId };
  };

  /** As if a command had waited for as long as it may. */
  const expire = (commandId: string) =>
    sql`update device_commands set queue_expires_at = now() - interval '1 second' where id = ${commandId}`.execute(
      db,
    );

  return { register, connect, online, execute, command, requeued, givenUp, expire };
}
