import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { runProgram, startProgram, succeed } from "@grove/testing/process";
import { afterEach, beforeEach, expect, it } from "vitest";
import { grove } from "./support/grove";
import { createMachine, type Machine } from "./support/machine";

let machine: Machine;

beforeEach(async () => {
  machine = await createMachine();
});

afterEach(() => machine.remove());

it("shows an agent making two worktrees and running an agent in each, and cleans up", async () => {
  const { code, stdout, stderr } = await runProgram(grove("demo"), { env: machine.env, cwd: machine.root });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  for (const shown of ["list_devices", "list_projects", "create_workspace", "on HEAD -> dark-mode"])
    expect(stdout).toContain(shown);
  expect(stdout.match(/exited: Done, as [0-9a-f]{7}/g)).toHaveLength(2);
  expect(stdout.trim().split("\n").length).toBeLessThan(30);
  expect(stdout).toMatch(/To do it for real:\n\n {2}node \S+ start/);
  expect(stdout).toMatch(/worktrees\/hello\/login-form +[0-9a-f]{7} \[login-form\]/);
  expect(await readdir(machine.temporary)).toEqual([]);
  expect(await readdir(machine.root)).toHaveLength(2);
});

it("keeps its directory when asked to", async () => {
  const { code, stderr } = await runProgram(grove("demo", "--keep"), { env: machine.env, cwd: machine.root });
  expect(code).toBe(0);
  const [kept = ""] = await readdir(machine.temporary);
  expect(stderr).toContain(join(machine.temporary, kept));
  const repository = join(machine.temporary, kept, "hello");
  expect(await succeed(["git", "worktree", "list"], { env: machine.env, cwd: repository })).toContain(
    "[dark-mode]",
  );
});

it("cleans up when it is interrupted", async () => {
  const program = startProgram(grove("demo"), { env: machine.env, cwd: machine.root });
  // The first output is the title of the first step.
  await program.waitForLine(/./);
  expect(await program.end("SIGINT")).toBe(130);
  expect(await readdir(machine.temporary)).toEqual([]);
});
