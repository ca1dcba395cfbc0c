import { type DeviceToolName, type DeviceToolResult, deviceTools } from "@grove/schemas";

/* Import this file only dynamically: it bundles the schemas of all device tools. */

/** @throws {ZodError} if the device's result does not have the tool's shape */
export const parseToolResult = <Name extends DeviceToolName>(
  tool: Name,
  result: unknown,
): DeviceToolResult<Name> => deviceTools[tool].result.parse(result) as DeviceToolResult<Name>;
