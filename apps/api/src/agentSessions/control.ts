import { GroveError, requireDeviceUse, type UserPrincipal } from "@grove/auth";
import type { Database } from "@grove/db";
import type { Success } from "@grove/schemas";
import type { Kysely } from "kysely";
import { runTool } from "../dispatch/submit/runTool";
import type { Services } from "../services";
import { requireOutput } from "./outputAccess";
import { readSessionOnDevice, type SessionOnDevice } from "./row";

const WAIT_MS = 30_000;

interface Control {
  organizationId: string;
  id: string;
  tool: "send_agent_input" | "release_agent_request" | "resize_agent_session" | "stop_agent_session";
  /** Parameters in addition to the session's id. */
  params?: Record<string, unknown> | ((session: SessionOnDevice) => Record<string, unknown>);
  /** The same key identifies the same command for 24 hours. */
  idempotencyKey?: string | undefined;
}

/**
 * Acts on a running session by a command to its device, and waits until the device has done it. Stopping a session that
 * has ended succeeds immediately.
 * @throws {GroveError} NOT_FOUND; FORBIDDEN `device_owner_required`, `role_required`; PRECONDITION_FAILED
 * `session_ended`, `screen_changed`, `screen_not_given`, `choice_shown`, `request_gone`, `command_failed`, and what
 * agent.execute throws; TIMEOUT `command_pending`, with the command's id, when the device has not answered in 30 s
 */
export async function controlSession(
  services: Services,
  principal: UserPrincipal,
  { organizationId, id, tool, params, idempotencyKey }: Control,
  caller: AbortSignal | undefined,
): Promise<Success> {
  const session = await readControlledSession(services.database.db, principal, { organizationId, id });
  if (session.status !== "running") {
    if (tool === "stop_agent_session") return { success: true };
    throw new GroveError("PRECONDITION_FAILED", `The agent session ${id} has ended. Start another one.`, {
      reason: "session_ended",
    });
  }
  await runTool(
    services,
    principal,
    {
      organizationId,
      deviceId: session.device_id,
      tool,
      params: { sessionId: id, ...(typeof params === "function" ? params(session) : params) },
      waitMs: WAIT_MS,
      idempotencyKey,
      refusals,
      next: "Check the session.",
    },
    caller,
  );
  return { success: true };
}

/**
 * Reads a session on which the caller may act.
 * @throws {GroveError} NOT_FOUND; FORBIDDEN `device_owner_required`, `role_required`
 */
export async function readControlledSession(
  db: Kysely<Database>,
  principal: UserPrincipal,
  key: { organizationId: string; id: string },
): Promise<SessionOnDevice> {
  const session = await readSessionOnDevice(db, key);
  requireDeviceUse(principal, { ownerId: session.device_owner_id, shared: session.device_shared });
  requireOutput(principal, session);
  return session;
}

/** Why an answer was refused. Callers branch on it. */
const refusals = ["screen_changed", "screen_not_given", "choice_shown", "request_gone"] as const;
