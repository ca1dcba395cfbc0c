import * as z from "zod";
import { itemError } from "../commands/command";
import { branchName, id, name } from "../values";

/* Inputs and results of the tools of a device that concern its workspaces, projects and agents. */

/** A workspace's name. Lists and paths show it, so characters that reverse the direction of text would deceive. */
export const workspaceName = name.refine(
  (value) => !/[\u202a-\u202e\u2066-\u2069]/.test(value),
  "must not contain characters that change the direction of text",
);

/** A workspace to make: one item of create_workspace's input. */
export const workspaceRequest = z.strictObject({
  name: workspaceName.optional().describe("Generated when omitted"),
  branchName: branchName.optional().describe("New git branch; generated when omitted"),
  existingBranch: branchName.optional().describe("Instead of a new branch; local or origin's"),
  baseBranch: branchName
    .optional()
    .describe("Branch to create from, local or origin's; without a main: the default branch")
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
  error: itemError.optional(),
});
export type WorkspaceMade = z.infer<typeof workspaceMade>;

/**
 * The state of a workspace: `creating` until its setup is over, `missing` if its directory no longer exists, `broken`
 * if git cannot read it.
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
  /** Agents for start_agent_session: the device's own, installed presets, and SHELL_AGENT. */
  agents: z.array(z.strictObject({ name: z.string(), version: z.string().nullable() })),
  /** The agent of start_agent_session without a name; null if the device has none. */
  defaultAgent: z.string().nullable(),
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
  /** The commit on the device that keeps its work, and until when. None if a branch or a remote has all of it. */
  rescue: z.strictObject({ ref: z.string(), until: z.string() }).optional(),
  error: itemError.optional(),
});
export type WorkspaceRemoved = z.infer<typeof workspaceRemoved>;

/** One item of update_workspace's result. */
export const workspaceRenamed = z.strictObject({
  id,
  name: z.string().nullable(),
  error: itemError.optional(),
});
export type WorkspaceRenamed = z.infer<typeof workspaceRenamed>;

/** A TCP port on which a program of a workspace listens. */
export const listeningPort = z.strictObject({
  port: z.number().int(),
  pid: z.number().int(),
  program: z.string(),
});
export type ListeningPort = z.infer<typeof listeningPort>;

export const workspaceDetails = z.strictObject({
  workspace: workspaceOnDevice,
  /** The first of the ten ports that are meant for its servers: GROVE_PORT_BASE. */
  portBase: z.number().int(),
  /** The ports on which the workspace's programs listen, in order; at most 50. */
  ports: z.array(listeningPort),
  /** `git status`: each changed file with its two-letter code, a renamed one also with its old path; at most 200. */
  changes: z.array(z.strictObject({ path: z.string(), status: z.string(), oldPath: z.string().optional() })),
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
