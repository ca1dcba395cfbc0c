import { getAgentScreen, resizeAgentSession, sendAgentInput, stopAgentSession } from "./controlAgentSession";
import { createWorkspace } from "./createWorkspace";
import { deleteWorkspace } from "./deleteWorkspace";
import type { ToolDeps } from "./deps";
import { getAppContext } from "./getAppContext";
import { getWorkspaceDetails } from "./getWorkspaceDetails";
import { getWorkspaceDiff } from "./getWorkspaceDiff";
import { listProjects } from "./listProjects";
import { listWorkspaces } from "./listWorkspaces";
import { runDoctor } from "./runDoctor";
import { startAgentSession } from "./startAgentSession";
import { switchWorkspace } from "./switchWorkspace";
import type { Tools } from "./tool";
import { updateWorkspace } from "./updateWorkspace";

/** The tools of this device, by name. */
export const createTools = (deps: ToolDeps): Tools => ({
  create_workspace: createWorkspace(deps),
  list_workspaces: listWorkspaces(deps),
  switch_workspace: switchWorkspace(deps),
  update_workspace: updateWorkspace(deps),
  delete_workspace: deleteWorkspace(deps),
  get_workspace_details: getWorkspaceDetails(deps),
  get_workspace_diff: getWorkspaceDiff(deps),
  list_projects: listProjects(deps),
  get_app_context: getAppContext(deps),
  run_doctor: runDoctor(deps),
  start_agent_session: startAgentSession(deps),
  get_agent_screen: getAgentScreen(deps),
  send_agent_input: sendAgentInput(deps),
  resize_agent_session: resizeAgentSession(deps),
  stop_agent_session: stopAgentSession(deps),
});
