import type { Tool } from "@grove/mcp";
import type { ApiSession } from "../api/apiSession";
import { answerAgentQuestion } from "./answer_agent_question";
import { answerComment } from "./answer_comment";
import { cancelCommand } from "./cancel_command";
import { commitWorkspace } from "./commit_workspace";
import { createTask } from "./create_task";
import { createWorkspace } from "./create_workspace";
import { deleteTask } from "./delete_task";
import { deleteWorkspace } from "./delete_workspace";
import { finishTask } from "./finish_task";
import { getAgentSession } from "./get_agent_session";
import { getAppContext } from "./get_app_context";
import { getChange } from "./get_change";
import { getCommand } from "./get_command";
import { getTask } from "./get_task";
import { getWorkspaceDetails } from "./get_workspace_details";
import { listDevices } from "./list_devices";
import { listMembers } from "./list_members";
import { listProjects } from "./list_projects";
import { listReviewComments } from "./list_review_comments";
import { listTaskStatuses } from "./list_task_statuses";
import { listTasks } from "./list_tasks";
import { listWorkspaces } from "./list_workspaces";
import { openPullRequest } from "./open_pull_request";
import { pushBranch } from "./push_branch";
import { sendAgentInput } from "./send_agent_input";
import { startAgentSession } from "./start_agent_session";
import { stopAgentSession } from "./stop_agent_session";
import { switchWorkspace } from "./switch_workspace";
import { updateFromBase } from "./update_from_base";
import { updateTask } from "./update_task";
import { updateWorkspace } from "./update_workspace";
import { waitForSessions } from "./wait_for_sessions";

/** The version that this server reports, as the contract requires (`cloud.version`). `--version` is the package's. */
export const VERSION = "1.0.0";

export const tools: readonly Tool<ApiSession>[] = [
  listDevices,
  listWorkspaces,
  createWorkspace,
  switchWorkspace,
  deleteWorkspace,
  updateWorkspace,
  listProjects,
  getAppContext,
  getWorkspaceDetails,
  startAgentSession,
  getAgentSession,
  waitForSessions,
  answerAgentQuestion,
  sendAgentInput,
  stopAgentSession,
  listReviewComments,
  answerComment,
  finishTask,
  getChange,
  commitWorkspace,
  pushBranch,
  updateFromBase,
  openPullRequest,
  createTask,
  updateTask,
  listTasks,
  getTask,
  deleteTask,
  listTaskStatuses,
  listMembers,
  getCommand,
  cancelCommand,
];
