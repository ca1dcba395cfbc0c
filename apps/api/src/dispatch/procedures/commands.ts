import { isAtLeast, type MaybeCached, type UserPrincipal } from "@grove/auth";
import {
  agentCancelCommandInput,
  agentGetCommandInput,
  agentListCommandsInput,
  agentWatchCommandInput,
  command,
  commandEvent,
  commandListed,
  id,
  isReadOnlyTool,
  UNLISTED_TOOL,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { type RawBuilder, sql } from "kysely";
import * as z from "zod";
import { keyReadsOutput, requireOutputOf } from "../../agentSessions/visible";
import { type Narrow, newestFirst } from "../../lib/pagination";
import type { Services } from "../../services";
import { verifyingMemberProcedure } from "../../trpc/cachedPrincipal";
import { output, outputEvents } from "../../trpc/output";
import { memberProcedure, waitingMemberProcedure } from "../../trpc/procedures";
import {
  type CommandRow,
  commandNotFound,
  listedColumns,
  readCommand,
  toCommand,
  toListed,
  waitEndedAt,
} from "../command";
import { requestCancel } from "../end/cancel";
import { untilSettled } from "../end/wait";
import { watchCommand } from "../end/watch";
import { execute, executeInput } from "../submit/execute";
import { newestCommands } from "./newestCommands";

/** Commands, for the people and agents that request them. */
export const commandProcedures = {
  /**
   * Runs a tool on a device, waits up to `waitMs` for the result, and returns the command as it then stands. A key with
   * only the read scope runs the tools that change nothing. It throws only when nothing was queued: PRECONDITION_FAILED
   * `device_offline`, `unsupported_tool`; TOO_MANY_REQUESTS `queue_full`. If the database goes away:
   * SERVICE_UNAVAILABLE with `commandId` in its details for a command that continues, and `outcome_unknown` with
   * `possibleCommandId` for one that may have been queued.
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
   * Commands, newest first: those that the caller requested, those of the caller's devices, and for an org-admin all.
   * The large fields (`params`, `result`, `lateResult`) are left out: agent.getCommand returns them. Commands that only
   * read a session's screen are not listed; `exceptTools` leaves out others, such as `send_agent_input`.
   */
  listCommands: memberProcedure(agentListCommandsInput)
    .output(output(z.array(commandListed)))
    .query(async ({ ctx, input }) => {
      const { db } = ctx.services.database;
      const { organizationId, deviceId, status, tools, exceptTools, requestedBy } = input;
      const isAdmin = isAtLeast(ctx.role, "admin");
      const userId = ctx.principal.user.id;
      const read = (condition: RawBuilder<boolean>) => {
        let commands = db
          .selectFrom("device_commands")
          .where("organization_id", "=", organizationId)
          .where("tool", "<>", UNLISTED_TOOL)
          .where(condition);
        if (deviceId) commands = commands.where("device_id", "=", deviceId);
        if (status) commands = commands.where("status", "=", status);
        if (tools) commands = commands.where("tool", "in", tools);
        if (exceptTools) commands = commands.where("tool", "not in", exceptTools);
        if (requestedBy) commands = commands.where("requested_by", "=", requestedBy);
        const listed = commands.select(listedColumns);
        if (isAdmin) return newestFirst(db, "device_commands", listed, input);
        // Each part is read from its own index.
        const visible = (narrow: Narrow) => {
          const requested = narrow(commands.select("id").where("requested_by", "=", userId));
          const ofDevice = narrow(commands.select("id").where(sql<boolean>`device_id = devices.id`));
          return listed.where(sql<boolean>`device_commands.id in (
            ${requested} union
            select command.id from devices cross join lateral ${ofDevice} as command
            where devices.organization_id = ${organizationId} and devices.owner_id = ${userId})`);
        };
        return newestFirst(db, "device_commands", visible, input);
      };
      return (await newestCommands(read, input)).map(toListed);
    }),

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

/** @throws {GroveError} NOT_FOUND for a command that does not exist or that the caller may not see */
async function visibleCommand(
  services: Services,
  principal: UserPrincipal,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<CommandRow> {
  const { db } = services.database;
  const row = await readCommand(services, organizationId, id);
  if (row.requested_by === principal.user.id) return row;
  if (isAtLeast(principal.memberships.get(organizationId), "admin")) return row;
  const device = await db
    .selectFrom("devices")
    .select("owner_id")
    .where("organization_id", "=", organizationId)
    .where("id", "=", row.device_id)
    .executeTakeFirst();
  if (device?.owner_id === principal.user.id) return row;
  throw commandNotFound(id);
}

/** The tools that show a session or act on it, for those who may read its output. */
const sessionTools = ["get_agent_screen", "send_agent_input", "resize_agent_session", "stop_agent_session"];
const sessionParams = z.object({ sessionId: id });

/** Requires that the caller may read the output of the session that a tool shows or acts on. */
async function requireSessionOf(
  services: Services,
  given: MaybeCached<UserPrincipal>,
  { organizationId, tool, params }: { organizationId: string; tool: string; params: Record<string, unknown> },
): Promise<void> {
  if (!sessionTools.includes(tool)) return;
  const { data } = sessionParams.safeParse(params);
  // The general check of parameters reports whatever else is wrong with them.
  if (!data) return;
  const session = { organizationId, id: data.sessionId };
  if (given.kind === "cached" && (await keyReadsOutput(services, given, session))) return;
  const principal = given.kind === "cached" ? await given.lookUp() : given;
  await requireOutputOf(services, principal, session);
}
