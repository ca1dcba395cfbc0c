import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createGit } from "../git/run";

/** The environment of git in tests: an identity, and no configuration of the user who runs them. */
export const gitEnv: NodeJS.ProcessEnv = {
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@example.com",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@example.com",
};
export const git = createGit(gitEnv);

/** Makes a repository with `commits` commits on `branch`, and one for each script below `.grove`. */
export async function makeRepository(
  path: string,
  { branch = "main", commits = 1, scripts = {} as Record<string, string> } = {},
): Promise<string> {
  await mkdir(path, { recursive: true });
  await git(["init", "--quiet", `--initial-branch=${branch}`], { cwd: path });
  for (let n = 1; n <= commits; n++) await commit(path, `file-${n}.txt`);
  for (const [name, script] of Object.entries(scripts)) await commit(path, `.grove/${name}`, script);
  return path;
}

/** Adds a file in a commit of its own. */
export async function commit(repository: string, file: string, content = `${file}\n`): Promise<string> {
  await mkdir(dirname(join(repository, file)), { recursive: true });
  await writeFile(join(repository, file), content);
  await git(["add", "--", file], { cwd: repository });
  await git(["commit", "--quiet", "--message", file], { cwd: repository });
  return (await git(["rev-parse", "HEAD"], { cwd: repository })).trim();
}

export const branches = async (repository: string): Promise<string[]> =>
  (await git(["for-each-ref", "--format=%(refname:short)", "refs/heads/"], { cwd: repository }))
    .split("\n")
    .filter((line) => line !== "");
