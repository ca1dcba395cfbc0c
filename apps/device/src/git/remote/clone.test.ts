import { mkdir, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { commit, makeRepository } from "../../testing/repository";
import { gitOverSsh } from "../../testing/ssh";
import { readRefs } from "../refs";
import { clone, removeUnfinishedClones } from "./clone";
import { fetchOrigin } from "./remote";

const never = new AbortController().signal;

it("clones over ssh with progress, and fetches later commits", async () => {
  const { git } = await gitOverSsh();
  const directory = await temporaryDirectory();
  const origin = await makeRepository(join(directory, "origin"), { commits: 3 });
  const path = join(directory, "repos", "app");
  const lines: string[] = [];
  await clone(git, `ssh://git@host.example${encodeURI(origin)}`, path, (line) => lines.push(line), never);
  expect(lines[0]).toMatch(/^Cloning ssh:/);
  expect(lines).toContain("Receiving objects 100%");
  expect(await readdir(join(directory, "repos"))).toEqual(["app"]);

  const newer = await commit(origin, "newer.txt");
  await fetchOrigin(git, path, () => {}, never);
  expect((await readRefs(git, path)).get("refs/remotes/origin/main")).toBe(newer);
});

it("a failed clone reports the reason and leaves nothing behind", async () => {
  const { git } = await gitOverSsh();
  const directory = await temporaryDirectory();
  const repos = join(directory, "repos");
  await expect(
    clone(git, "git@host.example:/nothing-is-there", join(repos, "app"), () => {}, never),
  ).rejects.toMatchObject({ reason: "clone_failed", message: expect.stringContaining("git ls-remote") });
  expect(await readdir(repos)).toEqual([]);
});

it.each(["file:///srv/app", "/srv/app", "https://user:pw@host/app", "ext::sh -c true", "--upload-pack=x"])(
  "%j is refused before git sees it",
  async (url) => {
    const { git } = await gitOverSsh();
    const repos = join(await temporaryDirectory(), "repos");
    await expect(clone(git, url, join(repos, "app"), () => {}, never)).rejects.toMatchObject({
      reason: "invalid_repo_url",
      message: expect.not.stringContaining(url),
    });
  },
);

it("an abort ends the clone and leaves nothing behind", async () => {
  const { git } = await gitOverSsh({ slow: true });
  const repos = join(await temporaryDirectory(), "repos");
  const abort = new AbortController();
  const cloning = clone(git, "git@host.example:/app", join(repos, "app"), () => {}, abort.signal);
  const failed = expect(cloning).rejects.toThrow("canceled");
  await until(async () => (await readdir(repos).catch(() => [])).length === 1);
  abort.abort(new Error("canceled"));
  await failed;
  expect(await readdir(repos)).toEqual([]);
});

it("clones that a crash cut off are removed, and nothing else", async () => {
  const repos = await temporaryDirectory();
  await mkdir(join(repos, "whole"));
  const { git } = await gitOverSsh({ slow: true });
  const abort = new AbortController();
  const cloning = clone(git, "git@host.example:/app", join(repos, "app"), () => {}, abort.signal).catch(
    () => {},
  );
  await until(async () => (await readdir(repos)).length === 2);
  // Simulates a crash of the process: its directory gets another name, so that the abort's cleanup misses it.
  const [unfinished = ""] = (await readdir(repos)).filter((name) => name !== "whole");
  await rename(join(repos, unfinished), join(repos, `${unfinished}x`));
  abort.abort();
  await cloning;
  await removeUnfinishedClones(repos);
  expect(await readdir(repos)).toEqual(["whole"]);
});
