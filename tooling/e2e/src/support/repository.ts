import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { succeed } from "@grove/testing/process";
import type { Machine } from "./machine";

/** A real git repository. */
export interface Repository {
  path: string;
  git(...args: string[]): Promise<string>;
  /** Everything that making a workspace could change or leave behind. */
  state(): Promise<string>;
}

/** Makes a repository with one commit on `main` and a branch `taken`. */
export async function createRepository({ root, env }: Machine, name: string): Promise<Repository> {
  const path = join(root, name);
  await mkdir(path, { recursive: true });
  const git = (...args: string[]) =>
    succeed(["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], { cwd: path, env });
  await git("init", "--quiet", "--initial-branch", "main");
  await writeFile(join(path, "README.md"), "# Test\n");
  await git("add", "README.md");
  await git("commit", "--quiet", "--message", "Begin");
  await git("branch", "taken");
  return {
    path,
    git,
    state: async () => (await git("worktree", "list", "--porcelain")) + (await git("for-each-ref")),
  };
}
