import type { TRPCRouterRecord } from "@trpc/server";
import { deviceProcedures } from "./devices";
import { machineProcedures } from "./machine";
import { ownerProcedures } from "./owner";
import { pairingProcedures } from "./pairing";

export const deviceRouter = {
  ...deviceProcedures,
  ...ownerProcedures,
  ...machineProcedures,
  ...pairingProcedures,
} satisfies TRPCRouterRecord;
