import { defineTool } from "@grove/mcp";
import { appContext, id } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { pending } from "../api/outcome";
import { optionalDeviceId, resolveDevice } from "../api/resolveDevice";
import { runOnDevice } from "../api/runOnDevice";

export const getAppContext = defineTool({
  name: "get_app_context",
  title: "Get a device's context",
  description:
    "Shows a device's platform, active workspace, git, coding agents and sessions, and Grove's directory (`home`). Use it to find an agent.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ deviceId: optionalDeviceId }),
  output: z.strictObject({
    deviceId: id,
    ...appContext.omit({ git: true }).partial().shape,
    /** Git's version; null if it is not installed. */
    git: z.string().nullable().optional(),
    pending,
  }),
  async run(input, context: ApiContext) {
    const deviceId = await resolveDevice(context, input.deviceId);
    const { result, pending } = await runOnDevice(context, deviceId, "get_app_context", {});
    return result ? { deviceId, ...result, git: result.git?.version ?? null } : { deviceId, pending };
  },
});
