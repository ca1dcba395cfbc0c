import {
  agentCompleteInput,
  agentHeartbeatInput,
  agentProgressInput,
  agentStartInput,
  commandState,
  heartbeatAnswer,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { verifyingDeviceProcedure } from "../../trpc/cachedPrincipal";
import { output } from "../../trpc/output";
import { deviceProcedure } from "../../trpc/procedures";
import { reportEnd, reportProgress, reportStart } from "../end/report";
import { heartbeat } from "../stream/heartbeat";

/** A device's reports about its commands, and its heartbeats. */
export const reportProcedures = {
  /** Reports that the device has begun a command. */
  start: deviceProcedure(agentStartInput)
    .output(output(commandState))
    .mutation(async ({ ctx, input }) => ({ status: await reportStart(ctx.services, ctx.principal, input) })),

  /** Reports a line of progress; it implies the start. */
  progress: deviceProcedure(agentProgressInput)
    .output(output(commandState))
    .mutation(async ({ ctx, input }) => ({
      status: await reportProgress(ctx.services, ctx.principal, input),
    })),

  /**
   * Reports the end of a command, with its result or error; it implies the start. An error with the reason `timed_out`
   * means that the device stopped the work because its time was up: the command is `timed_out`. Repeating is harmless.
   */
  complete: verifyingDeviceProcedure(agentCompleteInput)
    .output(output(commandState))
    .mutation(async ({ ctx, input }) => ({ status: await reportEnd(ctx.services, ctx.principal, input) })),

  /** Answers a heartbeat, the round trip that keeps a device online, with the running commands to stop. */
  heartbeat: deviceProcedure(agentHeartbeatInput)
    .meta({ guard: "device", needsNoTurn: true, keepsAlive: true })
    .output(output(heartbeatAnswer))
    .mutation(async ({ ctx, input }) => {
      const answer = await heartbeat(ctx.services, ctx.principal, input);
      // The first one brings the device online.
      if (input.beat === 0) ctx.services.live.hint(ctx.principal.organizationId);
      return answer;
    }),
} satisfies TRPCRouterRecord;
