import type { AnyTRPCProcedure } from "@trpc/server";
import { userRouter } from "./accounts/procedures";
import { adminRouter } from "./admin/procedures";
import { requestProcedures } from "./agentRequests/procedures";
import { sessionProcedures } from "./agentSessions/procedures";
import { analyticsRouter } from "./analytics/procedures";
import { apiKeyRouter } from "./apiKeys/procedures";
import { changeRouter } from "./changes/procedures";
import { chatRouter } from "./chat/procedures";
import { commandProcedures } from "./commands/procedures";
import { deviceRouter } from "./devices/procedures";
import { connectProcedures, reportProcedures } from "./dispatch/procedures";
import { integrationRouter } from "./integrations/procedures";
import { organizationRouter } from "./organizations/procedures";
import { projectRouter } from "./projects/procedures";
import { agentWorkProcedures, reviewRouter } from "./reviews/procedures";
import { taskRouter } from "./tasks/procedures";
import { router } from "./trpc/init";
import { workspaceRouter } from "./workspaces/procedures";

/** All procedures of the API. */
export const appRouter = router({
  admin: adminRouter,
  agent: {
    ...commandProcedures,
    ...reportProcedures,
    ...sessionProcedures,
    ...requestProcedures,
    ...agentWorkProcedures,
  },
  analytics: analyticsRouter,
  apiKey: apiKeyRouter,
  chat: chatRouter,
  device: { ...deviceRouter, ...connectProcedures },
  integration: integrationRouter,
  organization: organizationRouter,
  project: projectRouter,
  task: taskRouter,
  user: userRouter,
  workspace: { ...workspaceRouter, change: changeRouter, review: reviewRouter },
});

/** The procedures by path, such as `project.list`: tRPC keeps them flat, although their type is nested. */
export const procedures = appRouter._def.procedures as unknown as Record<string, AnyTRPCProcedure>;

export type AppRouter = typeof appRouter;
