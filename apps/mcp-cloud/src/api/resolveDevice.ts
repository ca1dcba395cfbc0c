import type { Client } from "@grove/client";
import { ToolError } from "@grove/mcp";
import { type Device, id } from "@grove/schemas";
import { readAll } from "../shared/pages";
import type { ApiContext, Identity } from "./apiSession";

/** The input of tools that infer the device. */
export const optionalDeviceId = id.optional().describe("Default: the only usable one");

/** Whether the caller may run commands on a device: it is their own or shared, and not revoked. */
export const canExecute = (device: Device, identity: Identity): boolean =>
  (device.ownerId === identity.userId || device.shared) && device.offlineReason !== "revoked";

/**
 * The given device, otherwise the only usable one online.
 * @throws {ToolError} that lists them if there are several
 */
export async function resolveDevice(context: ApiContext, deviceId: string | undefined): Promise<string> {
  if (deviceId !== undefined) return deviceId;
  const usable = await context.app.call(context, async (client, identity, signal) => {
    const online = await readDevices(client, identity, signal, "online");
    return online.filter((device) => canExecute(device, identity));
  });
  const [only, ...others] = usable;
  if (!only)
    throw new ToolError(
      "no_device_online",
      "deviceId was omitted, and none of the devices you may use is online",
      "list_devices shows all devices and why they are offline; start `grove-device` on one of them.",
    );
  if (others.length === 0) return only.id;
  const names = usable.slice(0, 20).map((device) => `${JSON.stringify(device.name)} (${device.id})`);
  throw new ToolError(
    "several_devices",
    `deviceId was omitted, and ${usable.length} usable devices are online: ${names.join(", ")}`,
    "Call again with the deviceId of one of them.",
  );
}

/** All devices of the organization, newest first. */
export const readDevices = (
  client: Client,
  { organizationId }: Identity,
  signal: AbortSignal,
  status?: Device["status"],
): Promise<Device[]> =>
  readAll((page) =>
    client.device.list.query({ organizationId, ...page, ...(status && { status }) }, { signal }),
  );
