import type { TRPCRouterRecord } from "@trpc/server";
import { deleteProcedures } from "./delete";
import { readProcedures } from "./read";
import { statusProcedures } from "./statuses";
import { writeProcedures } from "./write";

export const taskRouter = {
  ...writeProcedures,
  ...readProcedures,
  ...deleteProcedures,
  ...statusProcedures,
} satisfies TRPCRouterRecord;
