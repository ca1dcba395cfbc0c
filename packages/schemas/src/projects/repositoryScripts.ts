import * as z from "zod";
import { id, timestamp } from "../values";

/** How much of a script's output a device keeps. */
export const MAX_SCRIPT_OUTPUT_BYTES = 6 * 1024;

/**
 * `.grove/setup` runs in a new worktree before it is handed out, `.grove/teardown` before it is removed. `.grove/check`
 * checks a workspace's work, in a worktree of its own.
 */
export const scriptName = z.enum(["setup", "teardown", "check"]);
export type ScriptName = z.infer<typeof scriptName>;

/** A run of a script on a device. */
export const scriptRun = z.strictObject({
  /** When it was started. */
  at: timestamp,
  /** Null if it could not be started, or was ended by a signal, a cancellation or its time limit. */
  exitCode: z.number().int().nullable(),
  timedOut: z.boolean(),
  /** The end of its output, at most 6 KiB, without the escape sequences of terminals. */
  output: z.string(),
  workspaceName: z.string(),
});
export type ScriptRun = z.infer<typeof scriptRun>;

export const getRepositoryScriptsParams = z.strictObject({ projectId: id });

/** The scripts that a project's repository has for its workspaces, and whether the device runs them. */
export const repositoryScripts = z.strictObject({
  /** Whether the device's owner allows scripts of repositories: `allowRepositoryScripts` in the configuration. */
  allowed: z.boolean(),
  /** The file of the device's configuration. */
  configFile: z.string(),
  configFileExists: z.boolean(),
  /** The default base of new workspaces, whose scripts run: a branch, or a commit with a detached HEAD. */
  base: z.string(),
  scripts: z.array(
    z.strictObject({
      name: scriptName,
      /** Relative to the top of the repository. */
      path: z.string(),
      /** Whether the base has it. */
      exists: z.boolean(),
      lastRun: scriptRun.nullable(),
    }),
  ),
});
export type RepositoryScripts = z.infer<typeof repositoryScripts>;
