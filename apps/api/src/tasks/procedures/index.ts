import type { TRPCRouterRecord } from "@trpc/server";
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
} satisfies TRPCRouterRecord;
