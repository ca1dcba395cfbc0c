import { isRunning } from "@grove/testing/process";
import { expect, it } from "vitest";
import { requireNode } from "./machine.js";
import { createClone } from "./testing";

it("installs, builds and runs the launcher, and hides the output of the steps", async () => {
  const { start, calls } = await createClone();
  const { code, stdout, stderr } = await start("start.js", ["start", "--json"]).ended;
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "launched with start --json\n", stderr: "" });
  expect(await calls()).toEqual([
    expect.stringMatching(/ install .*--filter=@grove\/grove --filter=@grove\/api /),
    expect.stringMatching(/ turbo run build --filter=@grove\/grove\.\.\. --filter=@grove\/web$/),
  ]);
});

it.each(["start.js", "test.js", "build.js"])(
  "%s asks the registry about pnpm only if it is missing",
  async (file) => {
    const { start, calls } = await createClone();
    expect((await start(file).ended).code).toBe(0);
    for (const call of await calls()) expect(call).toMatch(/^--yes --prefer-offline pnpm@/);
  },
);

it("starts without git, and reports what is missing", async () => {
  const { start } = await createClone({ git: false });
  const { code, stdout, stderr } = await start("start.js", ["start"]).ended;
  expect({ code, stdout }).toEqual({ code: 0, stdout: "launched with start\n" });
  expect(stderr).toMatch(/^git is not installed\. .*\n$/);
});

it.each([
  ["install", "Installing failed."],
  ["build", "Building failed."],
])("shows what %s printed when it fails, and goes no further", async (step, sentence) => {
  const { start } = await createClone();
  const { code, stdout, stderr } = await start("start.js", ["start"], { FAILS: step }).ended;
  expect({ code, stdout }).toEqual({ code: 7, stdout: "" });
  expect(stderr).toMatch(new RegExp(`^noise of .*${step}[^]*\n${sentence}\n$`));
});

it.each([
  ["start.js", "install", "SIGINT"],
  ["start.js", "build", "SIGINT"],
  ["start.js", "build", "SIGTERM"],
  ["test.js", "turbo run test", "SIGHUP"],
  ["build.js", "build", "SIGINT"],
] as const)(
  "%s stops in the middle of %s at %s, with all that it has started",
  async (file, step, signal) => {
    const { start, hanging } = await createClone();
    const program = start(file, [], { HANGS: step });
    await expect.poll(hanging).toBeDefined();
    const pid = (await hanging()) ?? 0;
    program.child.kill(signal);
    expect(await program.ended).toMatchObject({ code: 130, stdout: expect.not.stringContaining("launched") });
    await expect.poll(() => isRunning(pid)).toBe(false);
  },
);

it("tests everything, or the requested packages", async () => {
  const { start, calls, nodes } = await createClone();
  expect((await start("test.js", ["--filter=@grove/db"]).ended).code).toBe(0);
  expect(await calls()).toEqual([
    expect.stringMatching(/ install --reporter=append-only$/),
    expect.stringMatching(/ turbo run test .*--filter=@grove\/db$/),
  ]);
  expect((await nodes()).at(-1)).toBe(process.version);
  const failed = await start("test.js", [], { FAILS: "turbo run test" }).ended;
  expect(failed.code).toBe(7);
});

it("does not test without git", async () => {
  const { start, calls } = await createClone({ git: false });
  const { code, stderr } = await start("test.js").ended;
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^git is not installed, .*\n$/),
  });
  expect(await calls()).toEqual([""]);
});

it.each(["16.20.2", "18.20.8", "20.18.3"])("reports that Node %s is too old", (version) => {
  expect(() => requireNode(version)).toThrow(
    `Grove needs Node 20.19 or newer, and this is Node ${version}. Install a newer one from https://nodejs.org and try again.`,
  );
});

it.each(["20.19.0", "22.0.0", "24.21.0"])("accepts Node %s", (version) => {
  expect(() => requireNode(version)).not.toThrow();
});
