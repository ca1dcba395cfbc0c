import { GroveError } from "@grove/auth";
import { type DeviceToolName, type DeviceToolResult, isSettled, type Reason } from "@grove/schemas";
import type { MaybeCachedRequester } from "../../lib/idempotency";
import type { Services } from "../../services";
import { execute, executeInput } from "./execute";

export interface ToolCall<Name extends DeviceToolName> {
  organizationId: string;
  deviceId: string;
  tool: Name;
  params: Record<string, unknown>;
  waitMs: number;
  /** The same key identifies the same command for 24 hours. */
  idempotencyKey?: string | undefined;
  /** The device's reasons that are returned unchanged. Every other reason becomes `command_failed`. */
  refusals: readonly Reason[];
  /** The next step, for a command that ended without a message. */
  next: string;
}

/**
 * Runs a tool on a device that is online, for a procedure that answers with its result.
 * @throws {GroveError} PRECONDITION_FAILED with one of `refusals` or `command_failed`, and what agent.execute throws;
 * TIMEOUT `command_pending`, with the command's id, when the device has not answered within `waitMs`
 */
export async function runTool<Name extends DeviceToolName>(
  services: Services,
  principal: MaybeCachedRequester,
  { refusals, next, ...call }: ToolCall<Name>,
  caller: AbortSignal | undefined,
): Promise<DeviceToolResult<Name>> {
  const { id, status, error, result } = await execute(services, principal, executeInput.parse(call), caller);
  if (status === "succeeded") return result as DeviceToolResult<Name>;
  const details = { commandId: id, status, error };
  if (isSettled(status))
    throw new GroveError("PRECONDITION_FAILED", error?.message ?? `The command ended as ${status}. ${next}`, {
      reason: refusals.find((reason) => reason === error?.reason) ?? "command_failed",
      details,
    });
  throw new GroveError(
    "TIMEOUT",
    `The device has not answered within ${call.waitMs / 1000} s; command ${id} continues, and may still succeed. See how it ends before you try again.`,
    { reason: "command_pending", details },
  );
}
