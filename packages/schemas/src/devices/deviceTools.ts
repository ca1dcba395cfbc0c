import * as z from "zod";
import { agentSessionTools } from "../agentSessions/agentSessionTools";
import {
  changeStatus,
  changeStatusParams,
  committedWorkspace,
  commitWorkspaceParams,
  mergedHere,
  mergeHereParams,
  pushBranchParams,
  pushedBranch,
  updatedFromBase,
  updateFromBaseParams,
} from "../changes/workspaceChange";
import { MINUTE_MS, RESULT_KEPT_MS } from "../durations";
import { getRepositoryScriptsParams, repositoryScripts } from "../projects/repositoryScripts";
import { findCommitParams, foundCommit, resolveAnchorsParams, resolvedAnchors } from "../reviews/review";
import { id, line, name } from "../values";
import {
  appContext,
  projectOnDevice,
  workspaceDetails,
  workspaceMade,
  workspaceName,
  workspaceOnDevice,
  workspaceRemoved,
  workspaceRenamed,
  workspaceRequest,
} from "../workspaces/deviceWorkspaces";
import {
  listedPoints,
  listPointsParams,
  madePoint,
  makePointParams,
  restoredPoint,
  restorePointParams,
} from "../workspaces/restorePoints";
import { workspaceDiff, workspaceDiffParams } from "../workspaces/workspaceDiff";
import {
  foundInFiles,
  listBranchesParams,
  listedBranches,
  listedFiles,
  listFilesParams,
  readFileParams,
  readFileResult,
  searchFilesParams,
} from "../workspaces/workspaceFiles";
import { MAX_WORKSPACES_PER_COMMAND } from "../workspaces/workspaceLimits";
import {
  addAgentParams,
  addedProject,
  addProjectParams,
  listDirectoriesParams,
  listedAgents,
  listedDirectories,
  machineStatus,
} from "./deviceSetup";
import { doctorFinding } from "./doctorFinding";

const success = z.strictObject({ success: z.literal(true) });

/**
 * The tools of a device, with the time that each may take by default. agent.execute accepts them. A device advertises
 * them and validates their parameters again. A `readOnly` tool changes nothing: a key with only the scope `read` may
 * run it. `keptMs` is for results that show people's files or screens: that long after its end, a command loses its
 * result. `forgets` names the parameter that a command loses as soon as it ends.
 */
export const deviceTools = {
  create_workspace: {
    params: z.strictObject({
      projectId: id,
      workspaces: z.array(workspaceRequest).min(1).max(MAX_WORKSPACES_PER_COMMAND),
    }),
    result: z.strictObject({ workspaces: z.array(workspaceMade) }),
    timeoutMs: 10 * MINUTE_MS,
  },
  list_workspaces: {
    params: z.strictObject({ projectId: id.optional() }),
    result: z.strictObject({ workspaces: z.array(workspaceOnDevice) }),
    timeoutMs: MINUTE_MS,
    readOnly: true,
  },
  list_projects: {
    params: z.strictObject({ search: line(200).optional() }),
    result: z.strictObject({ projects: z.array(projectOnDevice) }),
    timeoutMs: MINUTE_MS,
    readOnly: true,
  },
  /** Completes a path on the device. Only for its owner. */
  list_directories: {
    params: listDirectoriesParams,
    result: listedDirectories,
    timeoutMs: MINUTE_MS,
    readOnly: true,
  },
  /** Makes the repository at a path on the device a project of the organization. Only for the device's owner. */
  add_project: {
    params: addProjectParams,
    result: addedProject,
    timeoutMs: MINUTE_MS,
  },
  list_agents: {
    params: z.strictObject({}),
    result: listedAgents,
    timeoutMs: MINUTE_MS,
    readOnly: true,
  },
  /** Adds an agent to the device's config.json. Only for the device's owner. */
  add_agent: {
    params: addAgentParams,
    result: success,
    timeoutMs: MINUTE_MS,
  },
  /** Reads the load, the free memory and the free disk space of the machine. */
  get_machine_status: {
    params: z.strictObject({}),
    result: machineStatus,
    timeoutMs: MINUTE_MS,
    readOnly: true,
  },
  get_app_context: {
    params: z.strictObject({}),
    result: appContext,
    timeoutMs: MINUTE_MS,
    readOnly: true,
  },
  /** Checks what commands need on the device and on its way to the API. */
  run_doctor: {
    params: z.strictObject({}),
    result: z.strictObject({ healthy: z.boolean(), findings: z.array(doctorFinding) }),
    timeoutMs: MINUTE_MS,
    readOnly: true,
  },
  switch_workspace: {
    /** Exactly one of `workspaceId` and `name`. */
    params: z
      .strictObject({ workspaceId: id.optional(), name: name.optional() })
      .refine((given) => (given.workspaceId === undefined) !== (given.name === undefined), {
        message: "give either workspaceId or name",
      }),
    result: z.strictObject({ workspace: workspaceOnDevice }),
    timeoutMs: MINUTE_MS,
  },
  delete_workspace: {
    params: z.strictObject({
      workspaceIds: z.array(id).min(1).max(MAX_WORKSPACES_PER_COMMAND),
      force: z.boolean().default(false),
      deleteBranch: z.boolean().default(false),
    }),
    result: z.strictObject({ workspaces: z.array(workspaceRemoved) }),
    timeoutMs: 10 * MINUTE_MS,
  },
  update_workspace: {
    params: z.strictObject({
      updates: z
        .array(z.strictObject({ workspaceId: id, name: workspaceName }))
        .min(1)
        .max(MAX_WORKSPACES_PER_COMMAND),
    }),
    result: z.strictObject({ workspaces: z.array(workspaceRenamed) }),
    timeoutMs: MINUTE_MS,
  },
  get_workspace_details: {
    params: z.strictObject({ workspaceId: id }),
    result: workspaceDetails,
    timeoutMs: MINUTE_MS,
    readOnly: true,
  },
  get_workspace_diff: {
    params: workspaceDiffParams,
    result: workspaceDiff,
    timeoutMs: MINUTE_MS,
    readOnly: true,
    keptMs: RESULT_KEPT_MS,
  },
  /** Finds where the lines of a workspace's review comments are now. */
  resolve_anchors: {
    params: resolveAnchorsParams,
    result: resolvedAnchors,
    timeoutMs: MINUTE_MS,
    readOnly: true,
    keptMs: RESULT_KEPT_MS,
  },
  /** Finds a commit in the history of what is checked out in a workspace. */
  find_commit: {
    params: findCommitParams,
    result: foundCommit,
    timeoutMs: MINUTE_MS,
    readOnly: true,
  },
  /** Saves the files of a worktree, without those that git ignores, as a commit that no branch has. */
  make_point: {
    params: makePointParams,
    result: madePoint,
    timeoutMs: 5 * MINUTE_MS,
  },
  list_points: {
    params: listPointsParams,
    result: listedPoints,
    timeoutMs: MINUTE_MS,
    readOnly: true,
  },
  /** Gives a worktree the files of a point, after saving its current ones as another point. */
  restore_point: {
    params: restorePointParams,
    result: restoredPoint,
    timeoutMs: 10 * MINUTE_MS,
  },
  /** How far the work of a workspace has come: uncommitted files, commits ahead of and behind its base, conflicts. */
  get_change_status: {
    params: changeStatusParams,
    result: changeStatus,
    timeoutMs: MINUTE_MS,
    readOnly: true,
    keptMs: RESULT_KEPT_MS,
  },
  /** Commits all files of a worktree that git does not ignore, with the machine's git configuration. */
  commit_workspace: {
    params: commitWorkspaceParams,
    result: committedWorkspace,
    timeoutMs: 70 * MINUTE_MS,
  },
  /** Pushes a workspace's branch to the project's remote, with the machine's git credentials. */
  push_branch: {
    params: pushBranchParams,
    result: pushedBranch,
    timeoutMs: 70 * MINUTE_MS,
  },
  /** Merges the base into a workspace's branch, or rebases the branch onto it. With conflicts nothing changes. */
  update_from_base: {
    params: updateFromBaseParams,
    result: updatedFromBase,
    timeoutMs: 10 * MINUTE_MS,
  },
  /** Merges a workspace's commit into its base branch on the device. Only for people who are signed in. */
  merge_here: {
    params: mergeHereParams,
    result: mergedHere,
    timeoutMs: 10 * MINUTE_MS,
  },
  /** The local and remote branches of a project's repository, as last fetched. */
  list_branches: {
    params: listBranchesParams,
    result: listedBranches,
    timeoutMs: MINUTE_MS,
    readOnly: true,
    keptMs: RESULT_KEPT_MS,
  },
  /** Whether the scripts of a project's repository run on the device, and how they ended last. */
  get_repository_scripts: {
    params: getRepositoryScriptsParams,
    result: repositoryScripts,
    timeoutMs: MINUTE_MS,
    readOnly: true,
    keptMs: RESULT_KEPT_MS,
  },
  /** Lists one directory of a worktree. */
  list_files: {
    params: listFilesParams,
    result: listedFiles,
    timeoutMs: MINUTE_MS,
    readOnly: true,
    keptMs: RESULT_KEPT_MS,
  },
  /** Reads a part of a file of a worktree. */
  read_file: {
    params: readFileParams,
    result: readFileResult,
    timeoutMs: MINUTE_MS,
    readOnly: true,
    keptMs: RESULT_KEPT_MS,
  },
  /** Searches a worktree by file path or by content. */
  search_files: {
    params: searchFilesParams,
    result: foundInFiles,
    timeoutMs: MINUTE_MS,
    readOnly: true,
    keptMs: RESULT_KEPT_MS,
  },
  ...agentSessionTools,
} as const;
export type DeviceToolName = keyof typeof deviceTools;
export type DeviceToolParams<Name extends DeviceToolName> = z.infer<(typeof deviceTools)[Name]["params"]>;
export type DeviceToolResult<Name extends DeviceToolName> = z.infer<(typeof deviceTools)[Name]["result"]>;
/** The names of all tools, which `Object.keys` types as strings. */
export const deviceToolNames = Object.keys(deviceTools) as DeviceToolName[];
/** Whether a tool changes nothing. False for a tool that this server does not know. */
export const isReadOnlyTool = (tool: string): boolean =>
  isDeviceTool(tool) && "readOnly" in deviceTools[tool];
/** How long after its end a command of this tool keeps its result: forever, for most tools. In milliseconds. */
export const keptMs = (tool: string): number => {
  if (!isDeviceTool(tool)) return Number.POSITIVE_INFINITY;
  const definition = deviceTools[tool];
  return "keptMs" in definition ? definition.keptMs : Number.POSITIVE_INFINITY;
};
/** The parameter that a command of this tool loses as soon as it ends; undefined for most tools. */
export const forgottenParam = (tool: string): string | undefined => {
  if (!isDeviceTool(tool)) return undefined;
  const definition = deviceTools[tool];
  return "forgets" in definition ? definition.forgets : undefined;
};
/** Viewers run this tool every few seconds, so its commands are neither listed nor kept. */
export const UNLISTED_TOOL = "get_agent_screen" satisfies DeviceToolName;
export const isDeviceTool = (tool: string): tool is DeviceToolName => Object.hasOwn(deviceTools, tool);
