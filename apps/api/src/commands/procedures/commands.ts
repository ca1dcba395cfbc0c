import {
  agentCancelCommandInput,
  agentGetCommandInput,
  agentListCommandsInput,
  agentWatchCommandInput,
  command,
  commandEvent,
  commandListed,
  isReadOnlyTool,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { toCommand, waitEndedAt } from "../../dispatch/command";
import { requestCancel } from "../../dispatch/end/cancel";
import { untilSettled } from "../../dispatch/end/settledWait";
import { watchCommand } from "../../dispatch/end/watchCommand";
import { execute, executeInput } from "../../dispatch/submit/execute";
import { verifyingMemberProcedure } from "../../trpc/cachedPrincipal";
import { output, outputEvents } from "../../trpc/output";
import { memberProcedure, waitingMemberProcedure } from "../../trpc/procedures";
import { requireSessionOf, visibleCommand } from "../access";
import { listCommands } from "../list";

/** Commands, for the people and agents that request them. */
export const commandProcedures = {
  /**
   * Runs a tool on a device, waits up to `waitMs` for the result, and returns the command as it then stands. A key with
   * only the read scope runs the tools that change nothing. It throws only when nothing was queued: PRECONDITION_FAILED
   * `device_offline`, `unsupported_tool`; TOO_MANY_REQUESTS `queue_full`. If the database
   * becomes unreachable: SERVICE_UNAVAILABLE with `commandId` in its details for a command that continues, and
   * `outcome_unknown` with `possibleCommandId` for a command that may have been queued.
   */
  execute: verifyingMemberProcedure(executeInput, ({ tool }) => (isReadOnlyTool(tool) ? "read" : "write"))
    .output(output(command))
    .mutation(async ({ ctx, input, signal }) => {
      await requireSessionOf(ctx.services, ctx.principal, input);
      const row = await execute(ctx.services, ctx.principal, input, signal);
      return toCommand(row, waitEndedAt(row.status));
    }),

  /** Returns a command to its requester, the device's owner or an org-admin; waits up to `waitMs` for it to settle. */
  getCommand: waitingMemberProcedure(agentGetCommandInput)
    .output(output(command))
    .query(async ({ ctx, input, signal }) => {
      const found = await visibleCommand(ctx.services, ctx.principal, input);
      const row = await untilSettled(ctx.services, found, input.waitMs, signal);
      return toCommand(row, waitEndedAt(row.status));
    }),

  /**
   * Lists commands, newest first: the caller's own, the ones on the caller's devices, and for an org-admin all.
   * The large fields (`params`, `result`, `lateResult`) are left out: agent.getCommand returns them. Commands that only
   * read a session's screen are not listed; `exceptTools` leaves out others, such as `send_agent_input`.
   */
  listCommands: memberProcedure(agentListCommandsInput)
    .output(output(z.array(commandListed)))
    .query(({ ctx, input }) => listCommands(ctx.services, ctx.principal, input)),

  /**
   * Streams a command's newest line of progress as it changes, then the settled command. Anyone who may read a command
   * may watch it.
   */
  watchCommand: memberProcedure(agentWatchCommandInput)
    .output(outputEvents(commandEvent))
    .subscription(async function* ({ ctx, input, signal }) {
      const found = await visibleCommand(ctx.services, ctx.principal, input);
      yield* watchCommand(ctx.services, found, input.lastEventId, signal);
    }),

  /**
   * Cancels a command that the caller may see. A command that its device already has becomes `canceled` once the device
   * has stopped and undone it.
   */
  cancelCommand: memberProcedure(agentCancelCommandInput)
    .output(output(command))
    .mutation(async ({ ctx, input }) => {
      const found = await visibleCommand(ctx.services, ctx.principal, input);
      const row = await requestCancel(ctx.services, found);
      return toCommand(row, waitEndedAt(row.status));
    }),
} satisfies TRPCRouterRecord;
