import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "@grove/schemas";
import { timeoutSignal } from "@grove/signals";
import { span } from "@grove/tracing";
import { CommandFailure, isDiskFull } from "../errors";
import { withoutRepository } from "../git/run";
import { readConfig } from "../home/config";
import type { Home } from "../home/home";
import { PORT_VARIABLE } from "../home/portBase";
import type { LocalWorkspace } from "../home/store";
import { isErrno } from "../lib/fileSystem";
import { runProgram } from "../lib/program";
import { ScriptOutput } from "../scriptOutput";
import type { ToolContext } from "../tool";
import type { WorkspaceDeps } from "./deps";

/** `.grove/setup` runs in a new worktree before it is handed out, `.grove/teardown` before it is removed. */
export type ScriptName = "setup" | "teardown";

export interface ScriptOf {
  /** The main work tree. */
  repository: string;
  /** The commit whose script is run. The worktree's own script may be an agent's work. */
  commit: string;
  workspace: Pick<LocalWorkspace, "id" | "name" | "path" | "branch" | "baseBranch">;
}

/** The variable by which a script's processes are found after a crash. */
export const WORKSPACE_VARIABLE = "GROVE_WORKSPACE_ID";

/** A repository's script at a commit, or why this device does not run it. */
export type FoundScript = { script: string } | { notAllowed: string } | undefined;

/** @throws {CommandFailure} `config_invalid`; {@link GitError} if the commit cannot be read */
export async function findScript(
  { git, home }: WorkspaceDeps,
  name: ScriptName,
  { repository, commit }: ScriptOf,
  signal: AbortSignal,
): Promise<FoundScript> {
  const file = `.grove/${name}`;
  const options = { cwd: repository, signal };
  const listed = await git(["ls-tree", "-z", "--end-of-options", commit, "--", file], options);
  // "100755 blob <id>\t<path>"; a symbolic link (120000) does not count as a script.
  const blob = /^100\d+ blob (\S+)\t/.exec(listed)?.[1];
  if (blob === undefined) return undefined;
  if (!(await readConfig(home)).allowRepositoryScripts)
    return {
      notAllowed: `${file} was not run: this device runs no scripts of repositories. Its owner can allow them with "allowRepositoryScripts": true in ${home.configFile}.`,
    };
  return { script: await git(["cat-file", "blob", blob], options) };
}

/**
 * Runs a script in a workspace's directory, with the program of its `#!` line or otherwise with sh.
 * @throws {CommandFailure} `setup_failed` or `teardown_failed` with its last output, also if it takes longer than
 * `scriptTimeoutSeconds` in the device's configuration; the signal's reason when aborted. By then its processes have
 * exited
 */
export async function runScript(
  { home, store, programEnv }: WorkspaceDeps,
  name: ScriptName,
  script: string,
  { repository, workspace }: ScriptOf,
  { signal, progress }: Pick<ToolContext, "signal" | "progress">,
): Promise<void> {
  const output = new ScriptOutput(`${name}_failed`, `.grove/${name}`);
  const onErrorLine = (line: string) => {
    output.add(line);
    progress(`.grove/${name}: ${line}`);
  };
  const { scriptTimeoutSeconds } = await readConfig(home);
  const timeout = timeoutSignal(scriptTimeoutSeconds * 1_000);
  const { id, path, branch, baseBranch } = workspace;
  const portBase = (await store.workspace(id))?.portBase;
  const env = {
    ...withoutRepository(programEnv),
    [WORKSPACE_VARIABLE]: id,
    GROVE_WORKSPACE_NAME: workspace.name,
    GROVE_WORKSPACE_PATH: path,
    GROVE_BRANCH: branch,
    GROVE_BASE_BRANCH: baseBranch,
    GROVE_REPOSITORY_PATH: repository,
    ...(portBase !== undefined && { [PORT_VARIABLE]: String(portBase) }),
  };
  const either = AbortSignal.any([signal, timeout]);
  const options = { cwd: path, env, signal: either, onErrorLine, stdoutAsStderr: true };
  progress(`Running .grove/${name}`);
  // mkdtemp creates it with mode 0700.
  const directory = await mkdtemp(join(home.scriptsDir, `${process.pid}.`));
  try {
    const file = join(directory, name);
    await writeFile(file, script);
    const [interpreter, ...args] = interpreterOf(script);
    const run = () => runProgram(interpreter, [...args, file], options);
    const { code } = await span(`script ${name}`, {}, run);
    if (code !== 0) throw output.exitFailure(code);
  } catch (error) {
    if (signal.aborted || error instanceof CommandFailure || isDiskFull(error)) throw error;
    throw timeout.aborted
      ? output.timeoutFailure(scriptTimeoutSeconds)
      : output.failure(`could not be run (${messageOf(error)})`);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Removes the script files of processes that were killed while running them. */
export async function removeLeftScripts({ scriptsDir }: Pick<Home, "scriptsDir">): Promise<void> {
  for (const name of await readdir(scriptsDir)) {
    const pid = Number.parseInt(name, 10);
    // This process has run no script yet, so the directory is from an earlier process with the same pid.
    if (pid === process.pid || !isAlive(pid))
      await rm(join(scriptsDir, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists but belongs to another user.
    return isErrno(error, "EPERM");
  }
}

/**
 * The program that a script's first line names, with at most one argument, as in execve(2). Since we start it
 * ourselves, the script need not be executable, which a temporary directory may not allow.
 */
function interpreterOf(script: string): [string, ...string[]] {
  const [, program, argument] = /^#![ \t]*(\S+)(?:[ \t]+(.*\S))?/.exec(script) ?? [];
  if (program === undefined) return ["sh"];
  return argument === undefined ? [program] : [program, argument];
}
