import { deviceConnectInput, deviceEvent } from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { outputStream } from "../../trpc/output";
import { deviceProcedure } from "../../trpc/procedures";
import { deliver } from "../stream/deliver";

/** Belongs to the router `device`. */
export const connectProcedures = {
  /**
   * The stream of commands to a device; a device's newest stream replaces the one before. PRECONDITION_FAILED
   * `outdated_agent` for a device agent that is too old for this server.
   */
  connect: deviceProcedure(deviceConnectInput)
    .output(outputStream(deviceEvent))
    .subscription(({ ctx, input, signal }) =>
      deliver(
        ctx.services,
        ctx.principal,
        input,
        signal ?? new AbortController().signal,
        async () => (await ctx.lookUpAgain()) !== null,
      ),
    ),
} satisfies TRPCRouterRecord;
