import { span } from "@grove/tracing";
import { isErrno, isThere } from "../lib/fileSystem";
import { type ProgramOptions, runProgram } from "../lib/program";
import { withoutCredentials } from "../log";

/** How long a step of git may take if no caller can cancel it. */
export const UNCANCELED_MS = 60_000;

/** git ended with an exit code other than 0. */
export class GitError extends Error {
  readonly args: readonly string[];
  readonly code: number | null;
  /** git's stderr, without credentials. */
  readonly stderr: string;
  readonly stdout: string;

  constructor(args: readonly string[], code: number | null, stderr: string, stdout = "") {
    super(`git ${commandOf(args)}: ${lastWords(stderr) || `exit code ${code}`}`);
    this.args = args;
    this.code = code;
    this.stderr = stderr;
    this.stdout = stdout;
  }
}

/** git's own command among the arguments, such as `fetch`. */
const commandOf = (args: readonly string[]) =>
  args.find((arg, at) => !arg.startsWith("-") && args[at - 1] !== "-c");

/** No git is installed. */
export class GitMissingError extends Error {
  constructor() {
    super("There is no git on the PATH. Install git on this machine.");
  }
}

/** Git's error lines. The last one often names only the consequence of the failure. */
const VERDICT = /^(fatal|error|ERROR|remote|ssh)\b|: Permission denied\b/;
/** Matches lines in which git, or a program that git ran, names a cause. */
const CAUSE =
  /no space left|disk quota|read-only file system|too many open files|cannot allocate|permission denied|not found|no such file|could not|couldn't|cannot|unable to|failed|failure|timed? ?out|refused|denied|unauthori[sz]ed|forbidden|invalid|exceeded|error/i;
/** Progress, hints and advice. */
const NOISE =
  /^(hint:|warning:|\(use )|^[A-Z][a-z ]+: +\d+% |^(Preparing worktree|Cloning into|HEAD is now at)\b/;
const MAX_LINES = 5;
const MAX_LINE = 300;

/** Returns the lines that explain the failure: the lines that name its cause, otherwise the last lines. */
function lastWords(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).map((line) => line.trim());
  const words = [...new Set(lines)].filter((line) => line !== "" && !NOISE.test(line));
  const causes = words.filter((line) => VERDICT.test(line) || CAUSE.test(line));
  const chosen = causes.length > 0 ? causes : words;
  // The first cause comes before its consequences, and the last line is git's verdict.
  const shown = chosen.length > MAX_LINES ? [...chosen.slice(0, 2), ...chosen.slice(2 - MAX_LINES)] : chosen;
  return shown.map((line) => line.slice(0, MAX_LINE)).join(" ");
}

interface GitOptions extends Omit<ProgramOptions, "env"> {
  /** The transports that git may use: `file` only if the repository is this machine's own. */
  protocols?: "https:ssh" | "https:ssh:file";
  /** The directory with configuration, refs and objects, whatever the repository's `commondir` file names. */
  commonDir?: string;
  /** An index to use instead of the repository's own. */
  indexFile?: string;
  /** A variable that git and its child processes inherit. It identifies them if this process ends before them. */
  mark?: Record<string, string>;
}

/**
 * Runs git with an argument array and returns its stdout. Callers put `--` or `--end-of-options` before arguments from
 * outside. It never prompts. It has no time limit; `remote.ts` ends transfers that are silent for long.
 * @throws {GitError} if it fails; the signal's reason when aborted, once git and everything it started have exited
 */
export type Git = (args: readonly string[], options?: GitOptions) => Promise<string>;

/** Variables that would make git use another repository than its directory's (`git rev-parse --local-env-vars`). */
const REPOSITORY_VARIABLES =
  /^GIT_(DIR|WORK_TREE|IMPLICIT_WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|PREFIX|NAMESPACE|GRAFT_FILE|SHALLOW_FILE|REPLACE_REF_BASE|NO_REPLACE_OBJECTS|CONFIG|CONFIG_PARAMETERS)$/;

/** An environment in which git uses the repository of its working directory. */
export const withoutRepository = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !REPOSITORY_VARIABLES.test(name)));

/** git as this machine's user has configured it, but without prompts, in English and without optional locks. */
export function createGit(programEnv: NodeJS.ProcessEnv): Git {
  const env = {
    ...withoutRepository(programEnv),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    // An empty program turns prompts off; an unset one would fall back to SSH_ASKPASS.
    GIT_ASKPASS: "",
    SSH_ASKPASS_REQUIRE: "never",
    GCM_INTERACTIVE: "never",
    // Otherwise `git status` would take index.lock and disturb other users of the same tree.
    GIT_OPTIONAL_LOCKS: "0",
  };
  return async (args, { protocols = "https:ssh:file", indexFile, commonDir, mark, ...options } = {}) => {
    const run = () =>
      runProgram("git", [...QUIET_CONFIG, ...args], {
        ...options,
        env: {
          ...env,
          ...mark,
          GIT_ALLOW_PROTOCOL: protocols,
          ...(indexFile && { GIT_INDEX_FILE: indexFile }),
          ...(commonDir && { GIT_COMMON_DIR: commonDir }),
        },
      });
    const { code, stdout, isCut, stderr } = await span(`git ${commandOf(args)}`, {}, run).catch(
      async (error) => {
        // A missing working directory causes the same error.
        const missing = isErrno(error, "ENOENT") && (await isThere(options.cwd ?? "/"));
        throw missing ? new GitMissingError() : error;
      },
    );
    if (code !== 0 && !isCut) throw new GitError(args, code, withoutCredentials(stderr), stdout);
    return stdout;
  };
}

const QUIET_CONFIG = [
  // No background maintenance: it would hold locks and pipes after the command has ended.
  ...["-c", "gc.auto=0", "-c", "maintenance.auto=false"],
  // Hook directories are often checked in (husky), and a repository's scripts may run only if the device allows it.
  ...["-c", "core.hooksPath=/dev/null"],
  // This is also a program that a repository's configuration names.
  ...["-c", "core.fsmonitor=false"],
];

/** git's answer, trimmed; undefined for exit code 1, which means that there is none. */
export async function answerOf(question: Promise<string>): Promise<string | undefined> {
  try {
    return (await question).trim();
  } catch (error) {
    if (error instanceof GitError && error.code === 1) return undefined;
    throw error;
  }
}

/** Whether a git command ends with exit code 0 (true) or 1 (false). */
export const exitsWithZero = async (command: Promise<string>): Promise<boolean> =>
  (await answerOf(command)) !== undefined;
