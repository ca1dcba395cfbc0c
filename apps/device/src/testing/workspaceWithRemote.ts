import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withoutRepository } from "../git/run";
import { runProgram } from "../lib/program";
import { git } from "./repository";
import { configure } from "./session";
import { type Made, setUp } from "./workspace";

/** A workspace with a bare repository as its project's `origin`. */
export async function workspaceWithRemote(options: Parameters<typeof setUp>[1] = {}) {
  const { device, projectId, repository, made } = await setUp(["one"], options);
  const { id, path, branch } = made[0] as Made;
  const remote = join(device.directory, "remote.git");
  await git(["init", "--quiet", "--bare", "--initial-branch=main", "--", remote]);
  await git(["remote", "add", "origin", remote], { cwd: repository });
  await git(["push", "--quiet", "origin", "main"], { cwd: repository });
  const revision = async (name: string, cwd = path) =>
    (await git(["rev-parse", "--quiet", "--verify", name], { cwd })).trim();
  return {
    device,
    projectId,
    repository,
    id,
    path,
    branch,
    remote,
    revision,
    head: () => revision("HEAD"),
    status: () => git(["status", "--porcelain=v1"], { cwd: path }),
    write: (file: string, content: string) => writeFile(join(path, file), content),
    allowScripts: (scriptTimeoutSeconds = 60) =>
      configure(device, {}, { allowRepositoryScripts: true, scriptTimeoutSeconds }),
    /** A hook of the repository, or of a remote if its directory is given. */
    hook: async (name: string, script: string, directory = join(repository, ".git")) => {
      const file = join(directory, "hooks", name);
      await mkdir(join(directory, "hooks"), { recursive: true });
      await writeFile(file, `#!/bin/sh\n${script}\n`);
      await chmod(file, 0o755);
    },
  };
}

/** Everything that an operation which changes nothing must leave as it was, byte for byte. */
export async function fingerprint(path: string): Promise<string> {
  const run = async (command: string) => {
    const env = withoutRepository(process.env);
    const { stdout } = await runProgram("sh", ["-c", command], { cwd: path, env });
    return stdout;
  };
  const gitDir = (await git(["rev-parse", "--absolute-git-dir"], { cwd: path })).trim();
  const index = (await readFile(join(gitDir, "index"))).toString("base64");
  const files = await run("find . -name .git -prune -o -type f -print0 | sort -z | xargs -0 -r sha256sum");
  const refs = await git(["for-each-ref", "refs/heads", "refs/remotes"], { cwd: path });
  const head = await readFile(join(gitDir, "HEAD"), "utf8");
  return JSON.stringify({ index, files, refs, head });
}
