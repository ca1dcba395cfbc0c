import {
  agentGetSessionInput,
  agentListSeenSessionsInput,
  agentListSessionsInput,
  agentMarkSessionSeenInput,
  agentRenameSessionInput,
  agentReportSessionInput,
  agentResizeSessionInput,
  agentSendInputInput,
  agentSession,
  agentSessionOutputInput,
  agentSessionOutputsInput,
  agentSessionSecretsInput,
  agentSessionTailInput,
  agentStopSessionInput,
  agentWaitForSessionsInput,
  seenSession,
  sessionOutputEvent,
  sessionOutputsEvent,
  sessionPace,
  sessionReported,
  sessionSecrets as sessionSecretsSchema,
  sessionTail as sessionTailSchema,
  success,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { output, outputEvents, outputStream } from "../../trpc/output";
import {
  deviceProcedure,
  memberProcedure,
  memberSessionProcedure,
  waitingMemberProcedure,
} from "../../trpc/procedures";
import { controlSession } from "../control";
import { listSessions } from "../list";
import { listSeenSessions, markSessionSeen } from "../markSeen";
import { mayReadOutput, requireOutputOf } from "../outputAccess";
import { recordSize } from "../recordSize";
import { renameSession } from "../rename";
import { reportSession } from "../report";
import { toAgentSession } from "../row";
import { sessionOutput } from "../sessionOutput";
import { sessionOutputs } from "../sessionOutputs";
import { sessionSecrets } from "../sessionSecrets";
import { sessionTail } from "../tail";
import { announceTyping } from "../typingUsers";
import { keepWatched } from "../viewers";
import { waitForSession, waitForSessions } from "../wait";

/** Runs of coding agents. They begin with agent.execute of start_agent_session; the device reports their progress. */
export const sessionProcedures = {
  /**
   * Lists agent sessions, newest first. Only the person who started a session, the device's owner and org-admins get
   * `name`, `lastLine`, and `questionText`: the last lines on the screen of a session that waits for input.
   */
  listSessions: memberProcedure(agentListSessionsInput)
    .output(output(z.array(agentSession)))
    .query(({ ctx, input }) => listSessions(ctx.services, ctx.principal, input)),

  /**
   * Waits up to `waitMs` until an agent session needs input (its agent waits for a person, or its turn ended) or has
   * ended, and returns it. NOT_FOUND if there is none.
   */
  getSession: waitingMemberProcedure(agentGetSessionInput)
    .output(output(agentSession))
    .query(async ({ ctx, input, signal }) => {
      const row = await waitForSession(ctx.services, { ...input, until: "turn" }, signal);
      return toAgentSession(row, mayReadOutput(ctx.principal, row));
    }),

  /**
   * Waits up to `waitMs` until one of these sessions meets `until`, and returns all of them, in this order.
   * `attention`: an agent has a question, is limited or failed, or, without hooks, waits for input. `turn`: also when
   * its turn ended. An ended session meets both. NOT_FOUND if a session does not exist.
   */
  waitForSessions: waitingMemberProcedure(agentWaitForSessionsInput)
    .output(output(z.array(agentSession)))
    .query(async ({ ctx, input, signal }) => {
      const rows = await waitForSessions(ctx.services, input, signal);
      return rows.map((row) => toAgentSession(row, mayReadOutput(ctx.principal, row)));
    }),

  /**
   * Streams a session's output from the kept tail (256 KiB) on, then its end; for the person who started it, the
   * device's owner and org-admins. The terminal's size comes first, and again when it changes. `typing` events name the
   * users who type. The output is what a terminal would be sent. The device already answers the program's queries to
   * its terminal, so a terminal that shows this output must not.
   */
  sessionOutput: memberProcedure(agentSessionOutputInput)
    .output(outputEvents(sessionOutputEvent))
    .subscription(async function* ({ ctx, input, signal }) {
      await requireOutputOf(ctx.services, ctx.principal, input);
      yield* sessionOutput(ctx.services, input, input.lastEventId ?? 0, signal);
    }),

  /**
   * Streams the output of several sessions, each event with its session's `id`: for each what agent.sessionOutput
   * streams, from the chunk after `after` on, for the same people. A session that the caller may not read, or that does
   * not exist, is `refused`; the others continue. To add a session or to resume, open a new stream with the sequences
   * seen last.
   */
  sessionOutputs: memberProcedure(agentSessionOutputsInput)
    .output(outputStream(sessionOutputsEvent))
    .subscription(({ ctx, input, signal }) => sessionOutputs(ctx.services, ctx.principal, input, signal)),

  /**
   * Returns the end of the output so far, for the same people. A device reports every 5 s while the output has no
   * viewer; this call counts as one, so that the next results are up to date.
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
   * Types text to the agent. A line ends with the character that the terminal expects. An answer to a question gives
   * the number of the screen that its author saw. If the terminal shows another screen, PRECONDITION_FAILED
   * `screen_changed` contains that screen. With an `idempotencyKey`, a repeated call types nothing: browsers repeat a
   * request whose connection broke.
   */
  sendInput: waitingMemberProcedure(agentSendInputInput)
    .output(output(success))
    .mutation(async ({ ctx, input: { text, screen, ...control }, signal }) => {
      const outcome = await controlSession(
        ctx.services,
        ctx.principal,
        { ...control, tool: "send_agent_input", params: { text, ...(screen !== undefined && { screen }) } },
        signal,
      );
      if (screen === "live")
        announceTyping(ctx.services.database.notifier, control.id, ctx.principal.user.id);
      return outcome;
    }),

  /** Sets the terminal's size. */
  resizeSession: waitingMemberProcedure(agentResizeSessionInput)
    .output(output(success))
    .mutation(async ({ ctx, input: { columns, rows, ...key }, signal }) => {
      const size = { columns, rows };
      const control = { ...key, tool: "resize_agent_session" as const, params: size };
      const outcome = await controlSession(ctx.services, ctx.principal, control, signal);
      await recordSize(ctx.services.database.db, key, size);
      return outcome;
    }),

  /** Ends the agent. Repeating is harmless. */
  stopSession: waitingMemberProcedure(agentStopSessionInput)
    .output(output(success))
    .mutation(({ ctx, input, signal }) =>
      controlSession(ctx.services, ctx.principal, { ...input, tool: "stop_agent_session" }, signal),
    ),

  /** Renames a session. For users who may stop it. */
  renameSession: memberProcedure(agentRenameSessionInput)
    .output(output(agentSession))
    .mutation(({ ctx, input }) => renameSession(ctx.services, ctx.principal, input)),

  /** Running sessions that the caller has looked at, each with the last change of activity that was seen. */
  listSeenSessions: memberSessionProcedure(agentListSeenSessionsInput)
    .output(output(z.array(seenSession)))
    .query(({ ctx, input: { organizationId } }) =>
      listSeenSessions(ctx.services.database.db, { organizationId, userId: ctx.principal.user.id }),
    ),

  /** Records that the caller has looked at a session since its agent's activity last changed. NOT_FOUND. */
  markSessionSeen: memberSessionProcedure(agentMarkSessionSeenInput)
    .output(output(success))
    .mutation(async ({ ctx, input }) => {
      await markSessionSeen(ctx.services.database.db, { ...input, userId: ctx.principal.user.id });
      return { success: true as const };
    }),

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
