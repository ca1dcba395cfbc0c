import { pathToFileURL } from "node:url";
import { CommandFailure } from "../../errors";
import { isSameRepository } from "../remote/origin";
import { answerOf, type Git } from "../run";

/** The repository of a project on this machine. */
interface Located {
  /** Its main work tree. */
  path: string;
  repoUrl: string;
}

/**
 * Finds the remote whose URL is the project's. A project whose repository is only a directory on this machine is
 * pushed to that directory's `origin`.
 * @returns undefined if there is none
 */
export async function findRemote(git: Git, { path, repoUrl }: Located): Promise<string | undefined> {
  const remotes = (await git(["remote"], { cwd: path })).split("\n").filter((name) => name !== "");
  const sorted = remotes.sort((one, other) => Number(other === "origin") - Number(one === "origin"));
  if (repoUrl === pathToFileURL(path).href || repoUrl === `file://${path}`)
    return sorted.find((name) => name === "origin");
  for (const name of sorted) {
    const url = await answerOf(git(["config", "--get", `remote.${name}.url`], { cwd: path }));
    if (url !== undefined && isSameRepository(url, repoUrl)) return name;
  }
  return undefined;
}

/**
 * @throws {CommandFailure} `remote_mismatch`, even if only the address for pushes differs from the address for fetches
 */
export async function requireRemote(git: Git, located: Located): Promise<string> {
  const { path, repoUrl } = located;
  const name = await findRemote(git, located);
  if (name === undefined)
    throw new CommandFailure(
      "remote_mismatch",
      `No remote of ${path} has the project's address ${repoUrl}. Add it with \`git remote add\`, then try again.`,
    );
  const urls = async (...args: string[]) =>
    (await git(["remote", "get-url", ...args, "--all", "--", name], { cwd: path })).trim().split("\n");
  const [fetched = ""] = await urls();
  const other = (await urls("--push")).find((url) => !isSameRepository(url, fetched));
  if (other === undefined) return name;
  throw new CommandFailure(
    "remote_mismatch",
    `git would push '${name}' to ${other}, which is not the project's repository. Remove its pushurl, then try again.`,
  );
}
