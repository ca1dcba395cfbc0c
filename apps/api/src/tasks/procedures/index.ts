import type { TRPCRouterRecord } from "@trpc/server";
import { activityProcedures } from "./activity";
import { deleteProcedures } from "./delete";
import { moveProcedures } from "./move";
import { readProcedures } from "./readTasks";
import { statusProcedures } from "./statuses";
import { writeProcedures } from "./writeTasks";

export const taskRouter = {
  ...writeProcedures,
  ...moveProcedures,
  ...readProcedures,
  ...deleteProcedures,
  ...statusProcedures,
  ...activityProcedures,
} satisfies TRPCRouterRecord;
