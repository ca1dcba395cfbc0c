import { getAgentScreen, resizeAgentSession, sendAgentInput, stopAgentSession } from "./controlAgentSession";
import { createWorkspace } from "./createWorkspace";
import { deleteWorkspace } from "./deleteWorkspace";
import type { ToolParts } from "./deps";
import { getAppContext } from "./getAppContext";
import { getWorkspaceDetails } from "./getWorkspaceDetails";
import { listProjects } from "./listProjects";
import { listWorkspaces } from "./listWorkspaces";
import { startAgentSession } from "./startAgentSession";
import { switchWorkspace } from "./switchWorkspace";
import type { Tools } from "./tool";
import { updateWorkspace } from "./updateWorkspace";

/** The tools of this device, by name. */
export const createTools = (parts: ToolParts): Tools => ({
  create_workspace: createWorkspace(parts),
  list_workspaces: listWorkspaces(parts),
  switch_workspace: switchWorkspace(parts),
  update_workspace: updateWorkspace(parts),
  delete_workspace: deleteWorkspace(parts),
  get_workspace_details: getWorkspaceDetails(parts),
  list_projects: listProjects(parts),
  get_app_context: getAppContext(parts),
  start_agent_session: startAgentSession(parts),
  get_agent_screen: getAgentScreen(parts),
  send_agent_input: sendAgentInput(parts),
  resize_agent_session: resizeAgentSession(parts),
  stop_agent_session: stopAgentSession(parts),
});
