import { GroveError, sessionRequired } from "@grove/auth";
import { isUnavailable, newId } from "@grove/db";
import { type AgentExecuteInput, agentExecuteInput, type DeviceToolName, deviceTools } from "@grove/schemas";
import * as z from "zod";
import type { MaybeCachedRequester } from "../../lib/idempotency";
import type { Services } from "../../services";
import type { CommandRow } from "../command";
import { requestCancel } from "../end/cancel";
import { SettledWait, untilSettled } from "../end/settledWait";
import { retryUncertain } from "./retryUncertain";
import { isUncertain, submit } from "./submit";

/** PostgreSQL has aborted a disconnected client's insert within this time, even one that waited for a lock. */
const INSERT_ENDS_WITHIN_MS = 60_000;

/**
 * Parameter schemas by tool. Built once: zod compiles a schema on first use, which takes longer than a whole command.
 */
const paramsSchemas = new Map(
  Object.entries(deviceTools).map(([tool, { params }]) => [tool, z.object({ params })]),
);

/**
 * The input of agent.execute, with the tool's parameters. For a tool that only newer device agents have, the device
 * agent checks them.
 */
export const executeInput = agentExecuteInput.superRefine((input, context) => {
  // Only agent.answerRequest makes this command: it decides who may answer, and that one caller does.
  if (input.tool === ("answer_agent_request" satisfies DeviceToolName))
    context.addIssue({
      code: "custom",
      path: ["tool"],
      message: "cannot be called directly: use agent.answerRequest",
    });
  // Only workspace.review.send and the reads of pull requests make this command: they decide what is sent, and once.
  if (input.tool === ("send_review_round" satisfies DeviceToolName))
    context.addIssue({
      code: "custom",
      path: ["tool"],
      message: "cannot be called directly: use workspace.review.send",
    });
  const checked = paramsSchemas.get(input.tool)?.safeParse(input);
  for (const { path, message } of checked?.error?.issues ?? [])
    context.addIssue({ code: "custom", path, message });
});

/**
 * Hands a command to a device and waits for its result as long as the caller asked.
 * @throws {GroveError} SERVICE_UNAVAILABLE when the database is unreachable for longer than `waitMs`.
 * `outcome_unknown`: a row may have been made, and `possibleCommandId` is the id that it would have.
 * `database_unavailable`: the row was made and the command continues, with its id as `commandId`
 * @throws {GroveError} PRECONDITION_FAILED `device_offline` or `unsupported_tool`, TOO_MANY_REQUESTS `queue_full`,
 * CONFLICT `idempotency_key_reused` or `device_busy`, NOT_FOUND for an unknown device, FORBIDDEN
 * `device_owner_required`, `not_a_member` or `session_required`: in all of these cases nothing was queued
 */
export async function execute(
  services: Services,
  principal: MaybeCachedRequester,
  input: AgentExecuteInput,
  caller: AbortSignal | undefined,
): Promise<CommandRow> {
  // An agent's key must not decide what is merged.
  if (input.tool === ("merge_here" satisfies DeviceToolName)) {
    const { kind } = principal.kind === "cached" ? await principal.lookUp() : principal;
    if (kind !== "session") throw sessionRequired();
  }
  const id = newId();
  const deadline = performance.now() + input.waitMs;
  const wait = new SettledWait(services, id);
  try {
    const row = await submit(services, principal, input, id)
      .catch((error) => {
        if (!isUncertain(error)) throw error;
        return retryUncertain(services, principal, input, error, { id, deadline, caller });
      })
      .catch((error) => {
        // The caller has disconnected, so the error that names the command would be lost.
        if (isUncertain(error) && input.cancelOnDisconnect && caller?.aborted)
          services.dispatch.abandoned.add({
            organization_id: input.organizationId,
            id,
            insertEndsBy: performance.now() + INSERT_ENDS_WITHIN_MS,
          });
        throw error;
      });
    await services.dispatch.sessionControlAudit
      .record(services.database.db, row)
      .catch((error) => services.log.error({ err: error, commandId: row.id }, "an audit event is missing"));
    const leftMs = Math.max(0, deadline - performance.now());
    return await waitOrCancel(services, input, row, caller, () =>
      // Another id means that the idempotency key already belongs to an earlier command.
      row.id === id ? wait.row(row, leftMs, caller) : untilSettled(services, row, leftMs, caller),
    );
  } finally {
    wait.close();
  }
}

/**
 * Waits for a command and returns its row. Cancels the command if the caller disconnects and asked for
 * `cancelOnDisconnect`.
 */
async function waitOrCancel(
  services: Pick<Services, "database" | "dispatch" | "metrics">,
  { cancelOnDisconnect }: AgentExecuteInput,
  row: CommandRow,
  caller: AbortSignal | undefined,
  waiting: () => Promise<CommandRow>,
): Promise<CommandRow> {
  const isAbandoned = () => cancelOnDisconnect && caller?.aborted === true;
  try {
    const current = await waiting();
    return isAbandoned() ? await requestCancel(services, current) : current;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    if (isAbandoned()) services.dispatch.abandoned.add(row);
    throw new GroveError(
      "SERVICE_UNAVAILABLE",
      `The database cannot be reached now; command ${row.id} continues. Read its state later.`,
      { reason: "database_unavailable", details: { commandId: row.id } },
    );
  }
}
