import { GroveError, requireDeviceUse, type UserPrincipal } from "@grove/auth";
import { isSettled, type Reason, type Success } from "@grove/schemas";
import { execute, executeInput } from "../dispatch/submit/execute";
import type { Services } from "../services";
import { readSessionOnDevice, type SessionOnDevice } from "./row";
import { requireOutput } from "./visible";

const WAIT_MS = 30_000;

interface Control {
  organizationId: string;
  id: string;
  tool: "send_agent_input" | "resize_agent_session" | "stop_agent_session";
  /** Parameters in addition to the session's id. */
  params?: Record<string, unknown> | ((session: SessionOnDevice) => Record<string, unknown>);
  /** The same key stands for the same command for 24 hours. */
  idempotencyKey?: string | undefined;
}

/**
 * Acts on a running session by a command to its device, and waits until the device has done it. Stopping a session that
 * has ended succeeds immediately.
 * @throws {GroveError} NOT_FOUND; FORBIDDEN `device_owner_required`, `role_required`; PRECONDITION_FAILED
 * `session_ended`, `screen_changed`, `screen_not_given`, `choice_shown`, `command_failed`, and what agent.execute
 * throws; TIMEOUT `command_pending`, with the command's id, when the device has not answered in 30 s
 */
export async function controlSession(
  services: Services,
  principal: UserPrincipal,
  { organizationId, id, tool, params, idempotencyKey }: Control,
  caller: AbortSignal | undefined,
): Promise<Success> {
  const session = await readSessionOnDevice(services.database.db, { organizationId, id });
  requireDeviceUse(principal, { ownerId: session.device_owner_id, shared: session.device_shared });
  requireOutput(principal, session);
  if (session.status !== "running") {
    if (tool === "stop_agent_session") return { success: true };
    throw new GroveError("PRECONDITION_FAILED", `The agent session ${id} has ended. Start another one.`, {
      reason: "session_ended",
    });
  }
  const command = await execute(
    services,
    principal,
    executeInput.parse({
      organizationId,
      deviceId: session.device_id,
      tool,
      params: { sessionId: id, ...(typeof params === "function" ? params(session) : params) },
      waitMs: WAIT_MS,
      idempotencyKey,
    }),
    caller,
  );
  if (command.status === "succeeded") return { success: true };
  const details = { commandId: command.id, status: command.status, error: command.error };
  if (isSettled(command.status))
    throw new GroveError(
      "PRECONDITION_FAILED",
      command.error?.message ?? `The command ended as ${command.status}. Look at the session.`,
      { reason: reasonOf(command.error?.reason), details },
    );
  throw new GroveError(
    "TIMEOUT",
    `The device has not answered yet. Ask for command ${command.id} with agent.getCommand.`,
    { reason: "command_pending", details },
  );
}

/** Why an answer was refused. Callers branch on it. */
const refusals = ["screen_changed", "screen_not_given", "choice_shown"] as const;
const reasonOf = (given: string | undefined): Reason =>
  refusals.find((reason) => reason === given) ?? "command_failed";
