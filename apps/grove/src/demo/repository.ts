import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "@grove/schemas";
import { UserError } from "../errors";
import { runToEnd } from "../run/runToEnd";

interface GitOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

// The demo's commits must not depend on the user's git configuration.
const SETTINGS = [
  "user.name=Grove demo",
  "user.email=demo@grove.local",
  "commit.gpgSign=false",
  "core.hooksPath=",
];

/** Runs git in the demo's repository. */
export async function git(args: readonly string[], options: GitOptions): Promise<string> {
  try {
    return await runToEnd("git", {
      args: [...SETTINGS.flatMap((setting) => ["-c", setting]), ...args],
      ...options,
    });
  } catch (error) {
    if (messageOf(error).includes("ENOENT")) throw new UserError("git is not installed: Grove needs it.");
    throw error;
  }
}

/** Makes a git repository with one commit on `main`. */
export async function createRepository(
  path: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(path);
  const options = { cwd: path, env, signal };
  await git(["init", "--quiet", "--initial-branch", "main"], options);
  await writeFile(join(path, "README.md"), "# Hello\n");
  await git(["add", "README.md"], options);
  await git(["commit", "--quiet", "--message", "Say hello"], options);
}
