import type { TRPCRouterRecord } from "@trpc/server";
import { activityProcedures } from "./activity";
import { deleteProcedures } from "./delete";
import { moveProcedures } from "./move";
import { readProcedures } from "./read";
import { statusProcedures } from "./statuses";
import { writeProcedures } from "./write";

export const taskRouter = {
  ...writeProcedures,
  ...moveProcedures,
  ...readProcedures,
  ...deleteProcedures,
  ...statusProcedures,
  ...activityProcedures,
} satisfies TRPCRouterRecord;
