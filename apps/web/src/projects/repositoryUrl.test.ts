import { describe, expect, it } from "vitest";
import { parseRepositoryUrl } from "./repositoryUrl";

describe("parseRepositoryUrl", () => {
  it.each([
    ["https://github.com/acme/app", "https://github.com/acme/app", "acme", "app"],
    [" https://github.com/acme/app.git ", "https://github.com/acme/app.git", "acme", "app"],
    ["github.com/acme/app", "https://github.com/acme/app", "acme", "app"],
    ["github.com/acme/app?tab=readme#top", "https://github.com/acme/app", "acme", "app"],
    ["https://github.com/acme/app/tree/main/src", "https://github.com/acme/app", "acme", "app"],
    ["https://github.com/acme/app/pull/12?diff=split", "https://github.com/acme/app", "acme", "app"],
    ["https://gitlab.com/a/b/app/-/issues/4", "https://gitlab.com/a/b/app", "a/b", "app"],
    ["https://ada:secret@github.com/acme/app", "https://github.com/acme/app", "acme", "app"],
    ["git@github.com:acme/app.git", "git@github.com:acme/app.git", "acme", "app"],
    ["ssh://git@host.example:2222/acme/app.git", "ssh://git@host.example:2222/acme/app.git", "acme", "app"],
    ["box.example:app.git", "box.example:app.git", "git", "app"],
  ])("reads %s", (given, repoUrl, repoOwner, repoName) => {
    expect(parseRepositoryUrl(given)).toEqual({ repoUrl, repoOwner, repoName });
  });

  it.each([
    "",
    "app",
    "/home/ada/app",
    "file:///home/ada/app",
    "http://github.com/acme/app",
    "https://github.com/acme",
    "ext::sh -c x",
  ])("rejects %j", (given) => {
    expect(parseRepositoryUrl(given)).toBeUndefined();
  });
});
