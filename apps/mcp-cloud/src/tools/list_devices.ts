import { defineTool } from "@grove/mcp";
import { type Device, deviceStatus, id, offlineReason, platform, timestamp } from "@grove/schemas";
import * as z from "zod";
import type { CloudContext, Identity } from "../cloud";
import { canExecute, readDevices } from "../device";
import { after, pageFields, pageOf } from "../pages";

export const listDevices = defineTool({
  name: "list_devices",
  title: "List devices",
  description:
    "Lists the machines of your organization, newest first. Use it first, to find a deviceId. Commands run only on one that is online with canExecute true.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    status: deviceStatus.optional().describe("Only these"),
    after,
  }),
  output: z.strictObject({
    devices: z.array(
      z.strictObject({
        id,
        name: z.string(),
        platform,
        status: deviceStatus,
        offlineReason: offlineReason.nullable(),
        owner: z.strictObject({ userId: id, isYou: z.boolean() }),
        lastSeenAt: timestamp.nullable(),
        canExecute: z.boolean(),
      }),
    ),
    ...pageFields,
  }),
  async run(input, context: CloudContext) {
    return context.app.call(context, async (client, who, signal) => {
      const all = await readDevices(client, who, signal, input.status);
      const { page, ...rest } = pageOf(all, input.after);
      return { devices: page.map((device) => toRow(device, who)), ...rest };
    });
  },
});

const toRow = (device: Device, who: Identity) => ({
  id: device.id,
  name: device.name,
  platform: device.platform,
  status: device.status,
  offlineReason: device.offlineReason,
  owner: { userId: device.ownerId, isYou: device.ownerId === who.userId },
  lastSeenAt: device.lastSeenAt,
  canExecute: canExecute(device, who),
});
