import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it } from "vitest";
import { git, makeRepository } from "../../testing/repository";
import { gitOverSsh } from "../../testing/ssh";
import { branchesAtOrigin, fetchBranch, fetchOrigin, OriginError } from "./remote";

const never = new AbortController().signal;
const quiet = () => {};

async function repositoryOf(origin: string) {
  const path = await makeRepository(join(await temporaryDirectory(), "app"));
  await git(["remote", "add", "origin", origin], { cwd: path });
  return path;
}

it("a silent origin is given up after a while", async () => {
  const { git: overSsh } = await gitOverSsh({ slow: true });
  const path = await repositoryOf("git@host.example:/app");
  await expect(fetchOrigin(overSsh, path, quiet, never, 50)).rejects.toThrow(
    new OriginError("origin could not be fetched: it was silent for 0.05 s."),
  );
});

it("a missing origin is reported in git's words", async () => {
  const path = await repositoryOf("/nothing/is/there");
  const message = /^origin's branches could not be listed \(git ls-remote: fatal: .*nothing.*\)\.$/s;
  await expect(branchesAtOrigin(git, path, ["x"], never)).rejects.toThrow(message);
  const fetching = fetchBranch(git, path, "x", quiet, never);
  await expect(fetching).rejects.toThrow(/^'x' could not be fetched from origin \(git fetch: fatal: /);
});

it.each(["git", "http"])(
  "an origin at a %s: address is not called, and the error names the next step",
  async (transport) => {
    const path = await repositoryOf(`${transport}://host.example/app`);
    await expect(branchesAtOrigin(git, path, ["x"], never)).rejects.toThrow(
      new OriginError(
        `origin's branches could not be listed: its address begins with ${transport}:, and Grove uses only https and ssh. Change it with \`git remote set-url origin <address>\`.`,
      ),
    );
  },
);

it("a repository without an origin has no branches there", async () => {
  const path = await makeRepository(join(await temporaryDirectory(), "app"));
  expect(await branchesAtOrigin(git, path, ["main"], never)).toEqual([]);
});

it("an abort is not reported as a failure of origin", async () => {
  const { git: overSsh } = await gitOverSsh({ slow: true });
  const path = await repositoryOf("git@host.example:/app");
  const abort = new AbortController();
  const fetching = fetchOrigin(overSsh, path, () => abort.abort(new Error("canceled")), abort.signal);
  await expect(fetching).rejects.toThrow("canceled");
});
