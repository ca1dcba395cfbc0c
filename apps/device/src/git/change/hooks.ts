import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import { timeoutSignal } from "@grove/signals";
import { CommandFailure } from "../../errors";
import { ScriptOutput } from "../../scriptOutput";
import { answerOf, GitError } from "../run";
import type { OpenWorktree } from "../worktree/openWorktree";

/** The hooks of a repository, which run only if the device's owner allows scripts of repositories. */
export interface Hooks {
  /** Hooks that exist and may run. */
  allowed: ReadonlySet<string>;
  /** Hooks that exist and may not run. */
  skipped: string[];
  directory: string;
  timeoutSeconds: number;
}

export interface HookSettings {
  allowRepositoryScripts: boolean;
  scriptTimeoutSeconds: number;
}

/** Finds those of the named hooks that git would run in a worktree. */
export async function findHooks(
  worktree: OpenWorktree,
  names: readonly string[],
  { allowRepositoryScripts, scriptTimeoutSeconds }: HookSettings,
): Promise<Hooks> {
  const directory = await hooksDirectory(worktree);
  const present: string[] = [];
  for (const name of names) if (await isExecutable(join(directory, name))) present.push(name);
  return {
    allowed: new Set(allowRepositoryScripts ? present : []),
    skipped: allowRepositoryScripts ? [] : present,
    directory,
    timeoutSeconds: scriptTimeoutSeconds,
  };
}

async function hooksDirectory({ git, path, commonDir }: OpenWorktree): Promise<string> {
  const args = ["config", "--show-scope", "--type=path", "-z", "--get-all", "core.hooksPath"];
  const [...entries] = ((await answerOf(git(args))) ?? "").split("\0");
  // Scopes and values alternate. Grove's own setting, which turns hooks off, has the scope "command".
  let configured: string | undefined;
  for (let at = 0; at + 1 < entries.length; at += 2)
    if (entries[at] !== "command") configured = entries[at + 1];
  return configured === undefined || configured === "" ? join(commonDir, "hooks") : resolve(path, configured);
}

const isExecutable = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );

interface HookRun {
  indexFile?: string;
  mark: Record<string, string>;
  signal: AbortSignal;
  progress(line: string): void;
}

/**
 * Runs a hook if it is allowed.
 * @throws {CommandFailure} `hook_failed` with its last output, if it fails or takes too long
 */
export async function runHook(
  { git }: OpenWorktree,
  hooks: Hooks,
  [name, ...args]: [string, ...string[]],
  { signal, progress, ...options }: HookRun,
): Promise<void> {
  if (!hooks.allowed.has(name)) return;
  const output = new ScriptOutput(`The hook ${name}`);
  const onErrorLine = (line: string) => {
    output.add(line);
    progress(`${name}: ${line}`);
  };
  const timeout = timeoutSignal(hooks.timeoutSeconds * 1_000);
  const config = ["-c", `core.hooksPath=${hooks.directory}`];
  const command = [...config, "hook", "run", "--ignore-missing", name, "--", ...args];
  try {
    progress(`Running the hook ${name}`);
    await git(command, { ...options, signal: AbortSignal.any([signal, timeout]), onErrorLine });
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) throw hookFailed(output.timeoutFailure(hooks.timeoutSeconds));
    if (!(error instanceof GitError)) throw error;
    throw hookFailed(output.exitFailure(error.code));
  }
}

const hookFailed = (message: string) => new CommandFailure("hook_failed", message);
