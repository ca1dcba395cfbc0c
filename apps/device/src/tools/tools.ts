import { createWorkspace } from "./createWorkspace";
import { getAppContext } from "./getAppContext";
import { listProjects } from "./listProjects";
import { listWorkspaces } from "./listWorkspaces";
import type { ToolParts } from "./parts";
import type { Tools } from "./tool";

/** The tools of this device, by name. */
export const createTools = (parts: ToolParts): Tools => ({
  create_workspace: createWorkspace(parts),
  list_workspaces: listWorkspaces(parts),
  list_projects: listProjects(parts),
  get_app_context: getAppContext(parts),
});
