import type { AnyTRPCProcedure } from "@trpc/server";
import { adminRouter } from "./routers/admin";
import { agentRouter } from "./routers/agent";
import { analyticsRouter } from "./routers/analytics";
import { apiKeyRouter } from "./routers/apiKey";
import { chatRouter } from "./routers/chat";
import { deviceRouter } from "./routers/device";
import { integrationRouter } from "./routers/integration";
import { organizationRouter } from "./routers/organization";
import { projectRouter } from "./routers/project";
import { taskRouter } from "./routers/task";
import { userRouter } from "./routers/user";
import { workspaceRouter } from "./routers/workspace";
import { router } from "./trpc/init";

/** All procedures of the API. */
export const appRouter = router({
  admin: adminRouter,
  agent: agentRouter,
  analytics: analyticsRouter,
  apiKey: apiKeyRouter,
  chat: chatRouter,
  device: deviceRouter,
  integration: integrationRouter,
  organization: organizationRouter,
  project: projectRouter,
  task: taskRouter,
  user: userRouter,
  workspace: workspaceRouter,
});

/** The procedures by path, such as `project.list`: tRPC keeps them flat, whatever their type says. */
export const procedures = appRouter._def.procedures as unknown as Record<string, AnyTRPCProcedure>;

export type AppRouter = typeof appRouter;
