import type { Tools } from "../tool";
import { addAgentTool } from "./agents/addAgent";
import { answerAgentRequestTool } from "./agents/answerAgentRequest";
import { getAgentScreenTool } from "./agents/getAgentScreen";
import { listAgentsTool } from "./agents/listAgents";
import { releaseAgentRequestTool } from "./agents/releaseAgentRequest";
import { resizeAgentSessionTool } from "./agents/resizeAgentSession";
import { sendAgentInputTool } from "./agents/sendAgentInput";
import { startAgentSessionTool } from "./agents/startAgentSession";
import { stopAgentSessionTool } from "./agents/stopAgentSession";
import { commitWorkspaceTool } from "./change/commitWorkspace";
import { getChangeStatusTool } from "./change/getChangeStatus";
import { mergeHereTool } from "./change/mergeHere";
import { pushBranchTool } from "./change/pushBranch";
import { runGateTool } from "./change/runGate";
import { updateFromBaseTool } from "./change/updateFromBase";
import { createWorkspaceTool } from "./createWorkspace";
import { deleteWorkspaceTool } from "./deleteWorkspace";
import type { ToolDeps } from "./deps";
import { listFilesTool } from "./files/listFiles";
import { readFileTool } from "./files/readFile";
import { searchFilesTool } from "./files/searchFiles";
import { getAppContextTool } from "./getAppContext";
import { getMachineStatusTool } from "./getMachineStatus";
import { getWorkspaceDetailsTool } from "./getWorkspaceDetails";
import { getWorkspaceDiffTool } from "./getWorkspaceDiff";
import { listWorkspacesTool } from "./listWorkspaces";
import { listPointsTool } from "./points/listPoints";
import { makePointTool } from "./points/makePoint";
import { restorePointTool } from "./points/restorePoint";
import { addProjectTool } from "./projects/addProject";
import { getRepositoryScriptsTool } from "./projects/getRepositoryScripts";
import { listBranchesTool } from "./projects/listBranches";
import { listDirectoriesTool } from "./projects/listDirectories";
import { listProjectsTool } from "./projects/listProjects";
import { findCommitTool } from "./review/findCommit";
import { markSeenTool } from "./review/markSeen";
import { resolveAnchorsTool } from "./review/resolveAnchors";
import { sendReviewRoundTool } from "./review/sendReviewRound";
import { runDoctorTool } from "./runDoctor";
import { switchWorkspaceTool } from "./switchWorkspace";
import { updateWorkspaceTool } from "./updateWorkspace";

/** The tools of this device, by name. */
export const createTools = (deps: ToolDeps): Tools => ({
  create_workspace: createWorkspaceTool(deps),
  list_workspaces: listWorkspacesTool(deps),
  switch_workspace: switchWorkspaceTool(deps),
  update_workspace: updateWorkspaceTool(deps),
  delete_workspace: deleteWorkspaceTool(deps),
  get_workspace_details: getWorkspaceDetailsTool(deps),
  get_workspace_diff: getWorkspaceDiffTool(deps),
  resolve_anchors: resolveAnchorsTool(deps),
  find_commit: findCommitTool(deps),
  make_point: makePointTool(deps),
  mark_seen: markSeenTool(deps),
  list_points: listPointsTool(deps),
  restore_point: restorePointTool(deps),
  get_change_status: getChangeStatusTool(deps),
  run_gate: runGateTool(deps),
  commit_workspace: commitWorkspaceTool(deps),
  push_branch: pushBranchTool(deps),
  update_from_base: updateFromBaseTool(deps),
  merge_here: mergeHereTool(deps),
  list_files: listFilesTool(deps),
  read_file: readFileTool(deps),
  search_files: searchFilesTool(deps),
  list_projects: listProjectsTool(deps),
  list_branches: listBranchesTool(deps),
  get_repository_scripts: getRepositoryScriptsTool(deps),
  list_directories: listDirectoriesTool(deps),
  add_project: addProjectTool(deps),
  list_agents: listAgentsTool(deps),
  get_machine_status: getMachineStatusTool(deps),
  add_agent: addAgentTool(deps),
  get_app_context: getAppContextTool(deps),
  run_doctor: runDoctorTool(deps),
  start_agent_session: startAgentSessionTool(deps),
  get_agent_screen: getAgentScreenTool(deps),
  send_agent_input: sendAgentInputTool(deps),
  send_review_round: sendReviewRoundTool(deps),
  answer_agent_request: answerAgentRequestTool(deps),
  release_agent_request: releaseAgentRequestTool(deps),
  resize_agent_session: resizeAgentSessionTool(deps),
  stop_agent_session: stopAgentSessionTool(deps),
});
