import type { TRPCRouterRecord } from "@trpc/server";
import { codehostProcedures } from "./codehost";
import { connectionProcedures } from "./connections";
import { eventProcedures } from "./events";
import { messengerProcedures } from "./messenger";
import { trackerProcedures } from "./tracker";

export const integrationRouter = {
  ...connectionProcedures,
  ...eventProcedures,
  codehost: codehostProcedures,
  tracker: trackerProcedures,
  messenger: messengerProcedures,
} satisfies TRPCRouterRecord;
