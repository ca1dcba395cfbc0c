import { adminMatrix } from "./admin";
import { agentMatrix } from "./agent";
import { analyticsMatrix } from "./analytics";
import { apiKeyMatrix } from "./apiKey";
import { chatMatrix } from "./chat";
import { deviceMatrix } from "./device";
import type { Matrix } from "./entry";
import { integrationMatrix } from "./integration";
import { organizationMatrix } from "./organization";
import { projectMatrix } from "./project";
import { taskMatrix } from "./task";
import { userMatrix } from "./user";
import { workspaceMatrix } from "./workspace";

/** Each router's rows are in the file of its name beside this one. */
const routers = {
  admin: adminMatrix,
  agent: agentMatrix,
  analytics: analyticsMatrix,
  apiKey: apiKeyMatrix,
  chat: chatMatrix,
  device: deviceMatrix,
  integration: integrationMatrix,
  organization: organizationMatrix,
  project: projectMatrix,
  task: taskMatrix,
  user: userMatrix,
  workspace: workspaceMatrix,
};
/** The row of every procedure, by its path. */
export const matrix: Matrix = Object.fromEntries(
  Object.entries(routers).flatMap(([router, rows]) =>
    Object.entries(rows).map(([name, entry]) => [`${router}.${name}`, entry] as const),
  ),
);
