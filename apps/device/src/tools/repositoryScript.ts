import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { limit } from "@grove/signals";
import { span } from "@grove/tracing";
import { CommandFailure, isDiskFull } from "../errors";
import { withoutRepository } from "../git/run";
import { readConfig } from "../home/config";
import { type Home, isErrno } from "../home/home";
import type { LocalWorkspace } from "../home/store";
import { runProgram } from "../program";
import type { WorkspaceDeps } from "./deps";
import type { ToolContext } from "./tool";

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

/** How many lines of a script's last output an error quotes, to help with the repair. */
const TAIL_LINES = 20;

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
 * `scriptTimeoutSeconds` in the device's configuration; the signal's reason when aborted. By then its processes are
 * gone
 */
export async function runScript(
  { home, programEnv }: WorkspaceDeps,
  name: ScriptName,
  script: string,
  { repository, workspace }: ScriptOf,
  { signal, progress }: Pick<ToolContext, "signal" | "progress">,
): Promise<void> {
  const said: string[] = [];
  const onErrorLine = (line: string) => {
    said.push(line);
    if (said.length > TAIL_LINES) said.shift();
    progress(`.grove/${name}: ${line}`);
  };
  const failed = (why: string) =>
    new CommandFailure(
      `${name}_failed`,
      `.grove/${name} ${why}. Its last output:\n${said.join("\n") || "(nothing)"}`,
    );
  const { scriptTimeoutSeconds } = await readConfig(home);
  const timeout = limit(scriptTimeoutSeconds * 1_000);
  const { id, path, branch, baseBranch } = workspace;
  const env = {
    ...withoutRepository(programEnv),
    [WORKSPACE_VARIABLE]: id,
    GROVE_WORKSPACE_NAME: workspace.name,
    GROVE_WORKSPACE_PATH: path,
    GROVE_BRANCH: branch,
    GROVE_BASE_BRANCH: baseBranch,
    GROVE_REPOSITORY_PATH: repository,
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
    if (code !== 0) throw failed(code === null ? "was ended by a signal" : `ended with exit code ${code}`);
  } catch (error) {
    if (signal.aborted || error instanceof CommandFailure || isDiskFull(error)) throw error;
    throw timeout.aborted
      ? failed(
          `did not end within ${scriptTimeoutSeconds} s (scriptTimeoutSeconds in the device's config.json) and was ended`,
        )
      : failed(`could not be run (${(error as Error).message})`);
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
