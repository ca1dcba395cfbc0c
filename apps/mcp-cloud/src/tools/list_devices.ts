import { defineTool } from "@grove/mcp";
import { type Device, deviceStatus, id, offlineReason, platform, timestamp } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext, Identity } from "../api/apiSession";
import { canExecute, readDevices } from "../api/resolveDevice";
import { readMembers } from "../shared/members";
import { after, pageFields, pageOf } from "../shared/pages";

export const listDevices = defineTool({
  name: "list_devices",
  title: "List devices",
  description:
    "Lists the machines of your organization. Use it first, to find a deviceId. Commands run only on one that is online with canExecute true.",
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
        owner: z.strictObject({ userId: id, name: z.string().nullable(), isYou: z.boolean() }),
        lastSeenAt: timestamp.nullable(),
        canExecute: z.boolean(),
      }),
    ),
    ...pageFields,
  }),
  async run(input, context: ApiContext) {
    return context.app.call(context, async (client, identity, signal) => {
      // The client sends both in one HTTP request.
      const [all, members] = await Promise.all([
        readDevices(client, identity, signal, input.status),
        readMembers(client, identity, signal),
      ]);
      const names = new Map(members.map(({ userId, name }) => [userId, name]));
      const { page, ...rest } = pageOf(all, input.after);
      return { devices: page.map((device) => toRow(device, identity, names)), ...rest };
    });
  },
});

const toRow = (device: Device, identity: Identity, names: ReadonlyMap<string, string>) => ({
  id: device.id,
  name: device.name,
  platform: device.platform,
  status: device.status,
  offlineReason: device.offlineReason,
  owner: {
    userId: device.ownerId,
    name: names.get(device.ownerId) ?? null,
    isYou: device.ownerId === identity.userId,
  },
  lastSeenAt: device.lastSeenAt,
  canExecute: canExecute(device, identity),
});
