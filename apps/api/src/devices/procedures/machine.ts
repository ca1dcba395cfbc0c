import { setTimeout as sleep } from "node:timers/promises";
import { deviceProbe, deviceSelf, noInput } from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { output, outputStream } from "../../trpc/output";
import { deviceProcedure } from "../../trpc/procedures";
import { readDevice } from "../readDevices";

/** Procedures for the machine itself, with its device key. */
export const machineProcedures = {
  /** The device that the device key belongs to, and its organization. */
  self: deviceProcedure(noInput)
    .output(output(deviceSelf))
    .query(async ({ ctx }) => {
      const { organization, organizationId, deviceId } = ctx.principal;
      return { device: await readDevice(ctx.services, { organizationId, id: deviceId }), organization };
    }),

  /**
   * A stream of three events, a third of a second apart. Lets a device detect a proxy that buffers streams. It claims
   * no commands and does not affect the command stream.
   */
  probe: deviceProcedure(noInput)
    .output(outputStream(deviceProbe))
    .subscription(async function* ({ signal }) {
      for (let n = 1; n <= 3 && !signal?.aborted; n++) {
        if (n > 1) await sleep(333, undefined, { signal }).catch(() => {});
        yield { type: "probe" as const, n };
      }
    }),
} satisfies TRPCRouterRecord;
