import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MAX_SCRIPT_OUTPUT_BYTES, messageOf, type ScriptName, type ScriptRun } from "@grove/schemas";
import { timeoutSignal } from "@grove/signals";
import { span } from "@grove/tracing";
import { isDiskFull } from "../../errors";
import { readConfig } from "../../home/config";
import type { Home } from "../../home/home";
import { saveScriptRun } from "../../home/scriptRuns";
import type { LocalWorkspace } from "../../home/store";
import { isErrno } from "../../lib/fileSystem";
import { OutputTail } from "../../lib/outputTail";
import { type ProgramOptions, runProgram } from "../../lib/program";
import { ScriptOutput } from "../../scriptOutput";
import type { ToolContext } from "../../tool";
import type { WorkspaceDeps } from "../deps";
import { scriptEnvironment } from "./scriptEnvironment";

export interface ScriptOf {
  /** The main work tree. */
  repository: string;
  /** The commit whose script is run. The worktree's own script may be an agent's work. */
  commit: string;
  workspace: Pick<LocalWorkspace, "id" | "projectId" | "name" | "path" | "branch" | "baseBranch">;
}

export const scriptPath = (name: ScriptName): string => `.grove/${name}`;

/** A repository's script at a commit, or why this device does not run it. */
export type FoundScript = { script: string } | { notAllowed: string } | undefined;

/** @throws {CommandFailure} `config_invalid`; {@link GitError} if the commit cannot be read */
export async function findScript(
  { git, home }: Pick<WorkspaceDeps, "git" | "home">,
  name: ScriptName,
  { repository, commit }: Pick<ScriptOf, "repository" | "commit">,
  signal: AbortSignal,
): Promise<FoundScript> {
  const file = scriptPath(name);
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

export interface EndedScript {
  run: ScriptRun;
  /** Why it failed, with its last output: a sentence for people. Undefined if it ended with exit code 0. */
  failure: string | undefined;
}

/**
 * Runs a script in a workspace's directory, with the program of its `#!` line or otherwise with sh. It fails if it
 * takes longer than `scriptTimeoutSeconds` in the device's configuration. The run is kept as the project's last one.
 * @throws {CommandFailure} `config_invalid`; the signal's reason when aborted. By then its processes have exited
 */
export async function runScript(
  deps: WorkspaceDeps,
  name: ScriptName,
  script: string,
  { repository, workspace }: ScriptOf,
  { signal, progress }: Pick<ToolContext, "signal" | "progress">,
): Promise<EndedScript> {
  const file = scriptPath(name);
  const output = new ScriptOutput(file);
  const tail = new OutputTail(MAX_SCRIPT_OUTPUT_BYTES);
  const onErrorLine = (line: string) => {
    output.add(line);
    progress(`${file}: ${line}`);
  };
  const { home } = deps;
  const { scriptTimeoutSeconds } = await readConfig(home);
  const env = await scriptEnvironment(deps, { repository, workspace });
  const timeout = timeoutSignal(scriptTimeoutSeconds * 1_000);
  const options = {
    cwd: workspace.path,
    env,
    signal: AbortSignal.any([signal, timeout]),
    onErrorLine,
    onErrorChunk: (chunk: string) => tail.add(chunk),
    stdoutAsStderr: true,
  };
  progress(`Running ${file}`);
  const at = new Date().toISOString();
  let exitCode: number | null = null;
  let failure: string | undefined;
  const runOf = (): ScriptRun => {
    const timedOut = exitCode === null && timeout.aborted && !signal.aborted;
    return { at, exitCode, timedOut, output: tail.text, workspaceName: workspace.name };
  };
  try {
    exitCode = await span(`script ${name}`, {}, () => execute(home, name, script, options));
    if (exitCode !== 0) failure = output.exitFailure(exitCode);
  } catch (error) {
    if (signal.aborted || isDiskFull(error)) throw error;
    if (timeout.aborted) failure = output.timeoutFailure(scriptTimeoutSeconds);
    else {
      const why = `could not be run (${messageOf(error)})`;
      tail.add(`${file} ${why}\n`);
      failure = output.failure(why);
    }
  } finally {
    // The record is only for people: a full disk must not change how the script's workspace ends.
    await saveScriptRun(home, workspace.projectId, name, runOf()).catch(() => {});
  }
  return { run: runOf(), failure };
}

/** Runs a script from a temporary file. @returns its exit code; null after a signal */
async function execute(
  { scriptsDir }: Home,
  name: ScriptName,
  script: string,
  options: ProgramOptions,
): Promise<number | null> {
  // mkdtemp creates it with mode 0700.
  const directory = await mkdtemp(join(scriptsDir, `${process.pid}.`));
  try {
    const file = join(directory, name);
    await writeFile(file, script);
    const [interpreter, ...args] = interpreterOf(script);
    return (await runProgram(interpreter, [...args, file], options)).code;
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
