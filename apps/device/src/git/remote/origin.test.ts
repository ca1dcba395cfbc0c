import { userInfo } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it } from "vitest";
import { git, makeRepository } from "../../testing/repository";
import { describeRepository, isSameRepository } from "./origin";

const repositoryFrom = async (origin?: string) => {
  const path = await makeRepository(join(await temporaryDirectory(), "my äpp"), { branch: "trunk" });
  if (origin) await git(["remote", "add", "origin", origin], { cwd: path });
  return path;
};

it("a project is made from the hosted origin, without its credentials", async () => {
  const path = await repositoryFrom("https://me:ghp_secret@github.com/acme/app.git");
  expect(await describeRepository(git, path)).toEqual({
    repoOwner: "acme",
    repoName: "app",
    repoUrl: "https://github.com/acme/app.git",
    defaultBranch: "trunk",
  });
});

it.each([undefined, "/srv/git/app.git", "http://localhost:8080/acme/app.git"])(
  "with the origin %s the project is made from the directory itself",
  async (origin) => {
    const path = await repositoryFrom(origin);
    expect(await describeRepository(git, path)).toEqual({
      repoOwner: userInfo().username,
      repoName: "my äpp",
      repoUrl: pathToFileURL(path).href,
      defaultBranch: "trunk",
    });
  },
);

it("https, ssh and scp forms of one address are the same repository", () => {
  const forms = [
    "https://github.com/acme/app.git",
    "https://GitHub.com/acme/app",
    "ssh://git@github.com/acme/app.git",
    "git@github.com:acme/app.git",
  ];
  for (const one of forms) for (const other of forms) expect(isSameRepository(one, other)).toBe(true);
  expect(isSameRepository("git@github.com:acme/app.git", "git@github.com:acme/other.git")).toBe(false);
  expect(isSameRepository("git@github.com:acme/app.git", "git@gitlab.com:acme/app.git")).toBe(false);
  expect(isSameRepository("file:///a", "file:///a")).toBe(true);
  expect(isSameRepository("file:///a", "file:///b")).toBe(false);
});
