import {
  agentGetSessionInput,
  agentListSessionsInput,
  agentReportSessionInput,
  agentResizeSessionInput,
  agentSendInputInput,
  agentSession,
  agentSessionOutputInput,
  agentSessionSecretsInput,
  agentSessionTailInput,
  agentStopSessionInput,
  sessionOutputEvent,
  sessionPace,
  sessionReported,
  sessionSecrets as sessionSecretsSchema,
  sessionTail as sessionTailSchema,
  success,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { newestFirst } from "../../lib/pagination";
import { output, outputEvents } from "../../trpc/output";
import { deviceProcedure, memberProcedure, waitingMemberProcedure } from "../../trpc/procedures";
import { controlSession } from "../control";
import { untilIdle } from "../idle";
import { sessionOutput } from "../output";
import { reportSession } from "../report";
import { ownerOfDevice, toAgentSession } from "../row";
import { sessionSecrets } from "../secrets";
import { recordSize } from "../size";
import { sessionTail } from "../tail";
import { mayReadOutput, requireOutputOf } from "../visible";
import { keepWatched } from "../watched";

/** Runs of coding agents. They begin with agent.execute of start_agent_session; the device reports their progress. */
export const sessionProcedures = {
  /**
   * Agent sessions, newest first. `asks` has the last lines on the screen of one that waits, for the person who started
   * it, the device's owner and org-admins.
   */
  listSessions: memberProcedure(agentListSessionsInput)
    .output(output(z.array(agentSession)))
    .query(async ({ ctx, input }) => {
      const { db } = ctx.services.database;
      let query = db
        .selectFrom("agent_sessions")
        .selectAll()
        .select(ownerOfDevice)
        .where("organization_id", "=", input.organizationId);
      if (input.deviceId) query = query.where("device_id", "=", input.deviceId);
      if (input.workspaceId) query = query.where("workspace_id", "=", input.workspaceId);
      if (input.taskId) query = query.where("task_id", "=", input.taskId);
      if (input.status) query = query.where("status", "=", input.status);
      const rows = await newestFirst(db, "agent_sessions", query, input);
      return rows.map((row) => toAgentSession(row, mayReadOutput(ctx.principal, row)));
    }),

  /** One agent session; waits up to `waitMs` until it needs input or has ended. NOT_FOUND if there is none. */
  getSession: waitingMemberProcedure(agentGetSessionInput)
    .output(output(agentSession))
    .query(async ({ ctx, input: { waitMs, ...key }, signal }) => {
      const row = await untilIdle(ctx.services, key, waitMs, signal);
      return toAgentSession(row, mayReadOutput(ctx.principal, row));
    }),

  /**
   * Streams a session's output from the kept tail (256 KiB) on, then its end; for the person who started it, the
   * device's owner and org-admins. The terminal's size comes first, and again when it changes. The output is what a
   * terminal would be sent. The device already answers the
   * program's queries to its terminal, so a terminal that shows this output must not.
   */
  sessionOutput: memberProcedure(agentSessionOutputInput)
    .output(outputEvents(sessionOutputEvent))
    .subscription(async function* ({ ctx, input, signal }) {
      await requireOutputOf(ctx.services, ctx.principal, input);
      yield* sessionOutput(ctx.services, input, input.lastEventId ?? 0, signal);
    }),

  /**
   * Returns the end of the output so far, for the same people. A device reports every 5 s while the output has no
   * viewer; this call counts as one, so that the next answers are up to date.
   */
  sessionTail: memberProcedure(agentSessionTailInput)
    .output(output(sessionTailSchema))
    .query(async ({ ctx, input }) => {
      await requireOutputOf(ctx.services, ctx.principal, input);
      const { db } = ctx.services.database;
      await keepWatched(db, input);
      return sessionTail(db, input, input.length);
    }),

  /**
   * Types text to the agent: a line ends with the character that the terminal expects. An answer gives the number of
   * the screen that its author saw; if the terminal shows something else, PRECONDITION_FAILED `screen_changed` has what
   * it shows now. With an
   * `idempotencyKey`, a repeated call types nothing again: browsers repeat a request whose connection broke.
   */
  sendInput: waitingMemberProcedure(agentSendInputInput)
    .output(output(success))
    .mutation(({ ctx, input: { text, screen, ...control }, signal }) =>
      controlSession(
        ctx.services,
        ctx.principal,
        { ...control, tool: "send_agent_input", params: { text, ...(screen !== undefined && { screen }) } },
        signal,
      ),
    ),

  /** Sets the terminal's size. */
  resizeSession: waitingMemberProcedure(agentResizeSessionInput)
    .output(output(success))
    .mutation(async ({ ctx, input: { columns, rows, ...key }, signal }) => {
      const size = { columns, rows };
      const control = { ...key, tool: "resize_agent_session" as const, params: size };
      const done = await controlSession(ctx.services, ctx.principal, control, signal);
      await recordSize(ctx.services.database.db, key, size);
      return done;
    }),

  /** Ends the agent. Repeating is harmless. */
  stopSession: waitingMemberProcedure(agentStopSessionInput)
    .output(output(success))
    .mutation(({ ctx, input, signal }) =>
      controlSession(ctx.services, ctx.principal, { ...input, tool: "stop_agent_session" }, signal),
    ),

  /** Returns the environment of a session that this device is starting: its project's secrets. */
  sessionSecrets: deviceProcedure(agentSessionSecretsInput)
    .output(output(sessionSecretsSchema))
    .mutation(({ ctx, input }) => sessionSecrets(ctx.services, ctx.principal, input.commandId)),

  /**
   * Reports a session's start, a numbered chunk of its output, or its end. Repeating is harmless. Returns how long the
   * device may collect output before it reports again.
   */
  reportSession: deviceProcedure(agentReportSessionInput)
    .output(output(sessionReported))
    .mutation(async ({ ctx, input }) => {
      const { isWatched } = await reportSession(ctx.services, ctx.principal, input);
      if (input.type !== "output") ctx.services.live.hint(ctx.principal.organizationId);
      const { watchedMs, unwatchedMs } = sessionPace;
      return { success: true as const, paceMs: isWatched ? watchedMs : unwatchedMs };
    }),
} satisfies TRPCRouterRecord;
