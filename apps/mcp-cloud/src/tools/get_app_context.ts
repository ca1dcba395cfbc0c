import { defineTool } from "@grove/mcp";
import { appContext, id } from "@grove/schemas";
import * as z from "zod";
import type { CloudContext } from "../cloud";
import { pendingCommand, runOnDevice } from "../command";
import { optionalDeviceId, resolveDevice } from "../device";

export const getAppContext = defineTool({
  name: "get_app_context",
  title: "Get a device's context",
  description:
    "Tells what a device has to work with: host name, platform, agent version, home directory, active workspace, git and the coding-agent programs found there. Use it before work that depends on a machine's tools.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ deviceId: optionalDeviceId }),
  output: z.strictObject({
    deviceId: id,
    context: appContext.optional(),
    pending: pendingCommand.optional(),
  }),
  async run(input, context: CloudContext) {
    const deviceId = await resolveDevice(context, input.deviceId);
    const { result, pending } = await runOnDevice(context, deviceId, "get_app_context", {});
    return pending ? { deviceId, pending } : { deviceId, context: result };
  },
});
