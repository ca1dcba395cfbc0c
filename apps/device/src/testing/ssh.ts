import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { createGit, type Git } from "../git/run";
import { gitEnv } from "./repository";

/**
 * A git whose ssh leads to this machine: `ssh://anywhere/path` and `git@anywhere:/path` are the repository at `/path`,
 * over git's real protocol. With `slow` it never answers; with `stallAfterBytes` it sends this many bytes and then
 * nothing.
 */
export async function gitOverSsh({
  slow = false,
  stallAfterBytes,
}: {
  slow?: boolean;
  stallAfterBytes?: number;
} = {}): Promise<{ git: Git; env: NodeJS.ProcessEnv }> {
  const ssh = join(await temporaryDirectory(), "ssh");
  // git calls `ssh [options] host command`: the command is the last argument, quoted for a shell.
  const answer =
    stallAfterBytes === undefined
      ? 'exec sh -c "$last"'
      : `sh -c "$last" | '${process.execPath}' -e '${stalling(stallAfterBytes)}'`;
  await writeFile(ssh, `#!/bin/sh\n${slow ? "exec sleep 600" : `for last; do :; done\n${answer}`}\n`);
  await chmod(ssh, 0o755);
  const env = { ...gitEnv, GIT_SSH: ssh, GIT_SSH_VARIANT: "simple" };
  return { git: createGit(env), env };
}

/** Passes this many bytes on as they come, then stalls. */
const stalling = (bytes: number) =>
  `let left = ${bytes}; process.stdin.on("data", (chunk) => { process.stdout.write(chunk.subarray(0, left)); left = Math.max(0, left - chunk.length); }); setInterval(() => {}, 60000);`;
