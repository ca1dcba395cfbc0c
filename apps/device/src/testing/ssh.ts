import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createGit, type Git } from "../git/run";
import { gitEnv } from "./repository";
import { temporaryDirectory } from "./temp";

/**
 * A git whose ssh leads to this machine: `ssh://anywhere/path` and `git@anywhere:/path` are the repository at `/path`,
 * over git's real protocol. `slow` makes it never answer.
 */
export async function gitOverSsh({ slow = false } = {}): Promise<{ git: Git; env: NodeJS.ProcessEnv }> {
  const ssh = join(await temporaryDirectory(), "ssh");
  // git calls `ssh [options] host command`: the command is the last argument, quoted for a shell.
  await writeFile(
    ssh,
    `#!/bin/sh\n${slow ? "exec sleep 600" : 'for last; do :; done\nexec sh -c "$last"'}\n`,
  );
  await chmod(ssh, 0o755);
  const env = { ...gitEnv, GIT_SSH: ssh, GIT_SSH_VARIANT: "simple" };
  return { git: createGit(env), env };
}
