import { agentRouter } from "./routers/agent";
import { apiKeyRouter } from "./routers/apiKey";
import { deviceRouter } from "./routers/device";
import { organizationRouter } from "./routers/organization";
import { projectRouter } from "./routers/project";
import { userRouter } from "./routers/user";
import { workspaceRouter } from "./routers/workspace";
import { router } from "./trpc";

/** Every procedure of the API. */
export const appRouter = router({
  agent: agentRouter,
  apiKey: apiKeyRouter,
  device: deviceRouter,
  organization: organizationRouter,
  project: projectRouter,
  user: userRouter,
  workspace: workspaceRouter,
});

export type AppRouter = typeof appRouter;
