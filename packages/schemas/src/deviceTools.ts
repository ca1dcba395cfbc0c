import * as z from "zod";
import { answeredScreen, terminalInput, terminalSize } from "./agentSession";
import { commandError } from "./command";
import { branchName, id, line, name, text } from "./values";
import { workspaceDiff, workspaceDiffParams } from "./workspaceDiff";

const success = z.strictObject({ success: z.literal(true) });

/** A workspace's name. Lists and paths show it, so characters that reverse the direction of text would deceive. */
const workspaceName = name.refine(
  (value) => !/[\u202a-\u202e\u2066-\u2069]/.test(value),
  "must not contain characters that change the direction of text",
);

/** A workspace to make: one item of create_workspace's input. */
export const workspaceRequest = z.strictObject({
  name: workspaceName.optional().describe("Generated when omitted"),
  branchName: branchName.optional().describe("New git branch; generated when omitted"),
  existingBranch: branchName
    .optional()
    .describe("Check out this branch, local or origin's, instead of a new one"),
  baseBranch: branchName
    .optional()
    .describe("Branch to create from, local or origin's; without a main: the project's default branch")
    .meta({ default: "main" }),
});
export type WorkspaceRequest = z.infer<typeof workspaceRequest>;

/** One item of create_workspace's result: the workspace that was made, or `error`. */
export const workspaceMade = z.strictObject({
  id: id.optional(),
  name: z.string(),
  branch: z.string().optional(),
  /** The base that was actually used. */
  baseBranch: z.string().optional(),
  path: z.string().optional(),
  alreadyExisted: z.boolean(),
  /** Problems that did not stop the work: a setup that was not run, files that were not copied. */
  warnings: z.array(z.string()).optional(),
  error: commandError.optional(),
});
export type WorkspaceMade = z.infer<typeof workspaceMade>;

/**
 * The state of a workspace: `creating` until its setup is over, `missing` if its directory is gone, `broken` if git
 * cannot read it.
 */
export const workspaceState = z.enum(["ready", "creating", "missing", "broken"]);

export const workspaceOnDevice = z.strictObject({
  id,
  projectId: id,
  name: z.string(),
  /** Null with a detached HEAD, except during an operation on a branch. */
  branch: z.string().nullable(),
  /** An operation of git that has been begun and not ended. */
  operation: z.enum(["rebase", "merge", "cherry-pick", "revert", "bisect", "am"]).optional(),
  path: z.string(),
  /** Device agents older than this field listed only workspaces that were ready. */
  state: workspaceState.default("ready"),
  /** Null unless the workspace is ready. */
  dirty: z.boolean().nullable(),
  /** Commits ahead of and behind the base; null when the base is unknown. */
  ahead: z.number().int().nullable(),
  behind: z.number().int().nullable(),
  active: z.boolean(),
});
export type WorkspaceOnDevice = z.infer<typeof workspaceOnDevice>;

export const projectOnDevice = z.strictObject({
  id,
  name: z.string(),
  slug: z.string(),
  path: z.string(),
  defaultBranch: z.string(),
  /** Why the project cannot be used here, and the command that repairs it. */
  problem: z.string().optional(),
});
export type ProjectOnDevice = z.infer<typeof projectOnDevice>;

export const appContext = z.strictObject({
  hostName: z.string(),
  platform: z.string(),
  agentVersion: z.string(),
  /** Where Grove keeps its files on the device (GROVE_HOME); not a person's home directory. */
  home: z.string(),
  activeWorkspaceId: id.nullable(),
  git: z.strictObject({ version: z.string() }).nullable(),
  /** The agents that start_agent_session can run: the device's own, and the presets that are installed. */
  agents: z.array(z.strictObject({ name: z.string(), version: z.string().nullable() })),
  /** The agent of start_agent_session without a name; null if the device has none. Older device agents omit it. */
  defaultAgent: z.string().nullable().optional(),
  /** Running agent sessions, newest first. */
  sessions: z.array(
    z.strictObject({
      id,
      workspaceId: id,
      agent: z.string(),
      startedAt: z.string(),
      waitingForInput: z.boolean(),
    }),
  ),
});
export type AppContext = z.infer<typeof appContext>;

/** One item of delete_workspace's result: what was removed, or `error`, which states what is left. */
export const workspaceRemoved = z.strictObject({
  id,
  name: z.string().nullable(),
  worktreeRemoved: z.boolean(),
  branchDeleted: z.boolean(),
  /** Problems that did not stop the work: a teardown that failed, a branch that was kept. */
  warnings: z.array(z.string()),
  error: commandError.optional(),
});
export type WorkspaceRemoved = z.infer<typeof workspaceRemoved>;

/** One item of update_workspace's result. */
export const workspaceRenamed = z.strictObject({
  id,
  name: z.string().nullable(),
  error: commandError.optional(),
});
export type WorkspaceRenamed = z.infer<typeof workspaceRenamed>;

export const workspaceDetails = z.strictObject({
  workspace: workspaceOnDevice,
  /** `git status`: each changed file with its two-letter code; at most 200. */
  changes: z.array(z.strictObject({ path: z.string(), status: z.string() })),
  /** How many changed files there are in all. */
  changesTotal: z.number().int(),
  /** The last commits, newest first; at most 10. */
  commits: z.array(
    z.strictObject({ sha: z.string(), subject: z.string(), author: z.string(), at: z.string() }),
  ),
  /** Compared with the base of the workspace, including uncommitted work; null when the base is unknown. */
  diff: z
    .strictObject({
      base: z.string(),
      filesChanged: z.number().int(),
      insertions: z.number().int(),
      deletions: z.number().int(),
    })
    .nullable(),
  /** Agent sessions of the workspace on this device, newest first; at most 10. */
  sessions: z.array(
    z.strictObject({
      id,
      agent: z.string(),
      status: z.string(),
      startedAt: z.string(),
      /** The last lines of output, only if the caller started the session or owns the device. */
      output: z.string().optional(),
    }),
  ),
});
export type WorkspaceDetails = z.infer<typeof workspaceDetails>;

/** A check of a device, with what it found. `warn` needs attention; `fail` keeps commands from working. */
export const doctorFinding = z.strictObject({
  check: z.string(),
  state: z.enum(["ok", "warn", "fail"]),
  /** The state that was found. */
  message: z.string(),
  /** The suggested next step. */
  todo: z.string().optional(),
});
export type DoctorFinding = z.infer<typeof doctorFinding>;

const MINUTE = 60_000;

/**
 * The tools of a device, with the time that each may take by default. agent.execute accepts them. A device advertises
 * them and validates their parameters again. A `readOnly` tool changes nothing: a key with only the scope `read` may
 * run it. `keptMs` is for results that show people's files or screens: that long after its end, a command loses its
 * result. `forgets` names the parameter that a command loses as soon as it ends.
 */
export const deviceTools = {
  create_workspace: {
    params: z.strictObject({ projectId: id, workspaces: z.array(workspaceRequest).min(1).max(5) }),
    result: z.strictObject({ workspaces: z.array(workspaceMade) }),
    timeoutMs: 10 * MINUTE,
  },
  list_workspaces: {
    params: z.strictObject({ projectId: id.optional() }),
    result: z.strictObject({ workspaces: z.array(workspaceOnDevice) }),
    timeoutMs: MINUTE,
    readOnly: true,
  },
  list_projects: {
    params: z.strictObject({ search: line(200).optional() }),
    result: z.strictObject({ projects: z.array(projectOnDevice) }),
    timeoutMs: MINUTE,
    readOnly: true,
  },
  get_app_context: {
    params: z.strictObject({}),
    result: appContext,
    timeoutMs: MINUTE,
    readOnly: true,
  },
  /** Checks what commands need on the device and on its way to the API. */
  run_doctor: {
    params: z.strictObject({}),
    result: z.strictObject({ healthy: z.boolean(), findings: z.array(doctorFinding) }),
    timeoutMs: MINUTE,
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
    timeoutMs: MINUTE,
  },
  delete_workspace: {
    params: z.strictObject({
      workspaceIds: z.array(id).min(1).max(5),
      force: z.boolean().default(false),
      deleteBranch: z.boolean().default(false),
    }),
    result: z.strictObject({ workspaces: z.array(workspaceRemoved) }),
    timeoutMs: 10 * MINUTE,
  },
  update_workspace: {
    params: z.strictObject({
      updates: z
        .array(z.strictObject({ workspaceId: id, name: workspaceName }))
        .min(1)
        .max(5),
    }),
    result: z.strictObject({ workspaces: z.array(workspaceRenamed) }),
    timeoutMs: MINUTE,
  },
  get_workspace_details: {
    params: z.strictObject({ workspaceId: id }),
    result: workspaceDetails,
    timeoutMs: MINUTE,
    readOnly: true,
  },
  get_workspace_diff: {
    params: workspaceDiffParams,
    result: workspaceDiff,
    timeoutMs: MINUTE,
    readOnly: true,
    keptMs: 5 * MINUTE,
  },
  start_agent_session: {
    params: z.strictObject({
      workspaceId: id,
      /** An agent's name in the device's own configuration; the device's default when omitted. */
      agent: line(100).optional(),
      prompt: text(50_000).min(1),
      taskId: id.optional(),
    }),
    result: z.strictObject({ sessionId: id, agent: z.string(), pid: z.number().int() }),
    timeoutMs: MINUTE,
  },
  /** For a running session: the terminal's screen, preceded by the lines that have scrolled off it. */
  get_agent_screen: {
    params: z.strictObject({
      sessionId: id,
      length: z.number().int().min(100).max(20_000),
      /** The number of characters at the end to leave out, which an earlier call has returned. */
      offset: z.number().int().min(0).default(0),
      /** Waits at most this long for the program to stop printing for a moment. */
      settleMs: z.number().int().min(0).max(5_000).default(0),
    }),
    result: z.strictObject({
      output: z.string(),
      truncated: z.boolean(),
      /** The number of the screen, for send_agent_input. */
      screen: z.number().int(),
    }),
    timeoutMs: MINUTE,
    readOnly: true,
    keptMs: 5 * MINUTE,
  },
  send_agent_input: {
    params: z.strictObject({ sessionId: id, text: terminalInput, screen: answeredScreen }),
    result: success,
    timeoutMs: MINUTE,
    forgets: "text",
  },
  resize_agent_session: {
    params: z.strictObject({ sessionId: id, ...terminalSize }),
    result: success,
    timeoutMs: MINUTE,
  },
  stop_agent_session: {
    params: z.strictObject({ sessionId: id }),
    /** `warnings` name the programs that still work in its workspace. */
    result: success.extend({ warnings: z.array(z.string()).optional() }),
    timeoutMs: MINUTE,
  },
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
