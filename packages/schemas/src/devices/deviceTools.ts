import * as z from "zod";
import { agentSessionTools } from "../agentSessions/agentSessionTools";
import { changeTools } from "../changes/changeTools";
import { MINUTE_MS, RESULT_KEPT_MS } from "../durations";
import { getRepositoryScriptsParams, repositoryScripts } from "../projects/repositoryScripts";
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
import { fileTools } from "../workspaces/fileTools";
import { workspaceDiff, workspaceDiffParams } from "../workspaces/workspaceDiff";
import { listBranchesParams, listedBranches } from "../workspaces/workspaceFiles";
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
  /** Reads the name, the load, the free memory and the free disk space of the machine. */
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
  /** Checks the requirements of commands on the device and on its connection to the API. */
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
  ...changeTools,
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
  ...fileTools,
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
