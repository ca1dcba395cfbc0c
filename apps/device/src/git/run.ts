import { isErrno, isThere } from "../home/home";
import { withoutCredentials } from "../log";
import { type ProgramOptions, runProgram } from "../program";

/** git ended with an exit code that is not 0. */
export class GitError extends Error {
  constructor(
    readonly args: readonly string[],
    readonly code: number | null,
    /** What it said, without credentials. */
    readonly stderr: string,
  ) {
    super(`git ${args.find((arg) => !arg.startsWith("-"))}: ${lastWords(stderr) || `exit code ${code}`}`);
  }
}

/** There is no git to run. */
export class GitMissingError extends Error {
  constructor() {
    super("There is no git on the PATH. Install git on this machine.");
  }
}

/** The lines that say what went wrong, without progress and hints. */
function lastWords(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).filter((line) => line.trim() !== "");
  const telling = lines.filter((line) =>
    /^(fatal|error|remote|ERROR|ssh|.*: Permission denied)\b/.test(line),
  );
  return (telling.length > 0 ? telling : lines).slice(-4).join(" ").slice(0, 1_000);
}

interface GitOptions extends Omit<ProgramOptions, "env"> {
  /** Which transports git may use: `file` only where the repository is this machine's own. */
  protocols?: "https:ssh" | "https:ssh:file";
}

/**
 * Runs git with an argument array and gives its stdout. Callers put `--` or `--end-of-options` before what comes from
 * outside. It never asks anybody anything.
 * @throws {GitError} when it fails; the signal's reason when aborted, once it and all it started are gone
 */
export type Git = (args: readonly string[], options?: GitOptions) => Promise<string>;

/** What would make git work on another repository than the one it is run in (`git rev-parse --local-env-vars`). */
const REPOSITORY_VARIABLES =
  /^GIT_(DIR|WORK_TREE|IMPLICIT_WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|PREFIX|NAMESPACE|GRAFT_FILE|SHALLOW_FILE|REPLACE_REF_BASE|NO_REPLACE_OBJECTS|CONFIG|CONFIG_PARAMETERS)$/;

/** An environment in which git works on the repository that it is run in. */
export const withoutRepository = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !REPOSITORY_VARIABLES.test(name)));

/** git as this machine's user has it set up, but never asking, always in English, without optional locks. */
export function createGit(programEnv: NodeJS.ProcessEnv): Git {
  const env = {
    ...withoutRepository(programEnv),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    // An empty program turns asking off, where an unset one would fall back to SSH_ASKPASS.
    GIT_ASKPASS: "",
    SSH_ASKPASS_REQUIRE: "never",
    GCM_INTERACTIVE: "never",
    // `git status` would else take index.lock and disturb whoever works in the same tree.
    GIT_OPTIONAL_LOCKS: "0",
  };
  return async (args, { protocols = "https:ssh:file", ...options } = {}) => {
    const { code, stdout, stderr } = await runProgram("git", [...QUIET_CONFIG, ...args], {
      ...options,
      env: { ...env, GIT_ALLOW_PROTOCOL: protocols },
    }).catch(async (error) => {
      // The same error stands for a directory that is not there.
      const missing = isErrno(error, "ENOENT") && (await isThere(options.cwd ?? "/"));
      throw missing ? new GitMissingError() : error;
    });
    if (code !== 0) throw new GitError(args, code, withoutCredentials(stderr));
    return stdout;
  };
}

const QUIET_CONFIG = [
  // No housekeeping in the background: it would hold locks and pipes after the command has ended.
  ...["-c", "gc.auto=0", "-c", "maintenance.auto=false"],
  // Hook directories are often checked in (husky), and a repository's scripts run only where the device allows it.
  ...["-c", "core.hooksPath=/dev/null"],
  // A program that a repository's configuration names, too.
  ...["-c", "core.fsmonitor=false"],
];

/** What git answers, trimmed; undefined when its exit code is 1, by which it says that there is no such thing. */
export async function answerOf(question: Promise<string>): Promise<string | undefined> {
  try {
    return (await question).trim();
  } catch (error) {
    if (error instanceof GitError && error.code === 1) return undefined;
    throw error;
  }
}

/** Whether a git question (exit code 1 means no) is answered with yes. */
export const asks = async (question: Promise<string>): Promise<boolean> =>
  (await answerOf(question)) !== undefined;
