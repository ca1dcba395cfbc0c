import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type DeviceToolName, type DeviceToolResult, deviceTools, type WorkspaceMade } from "@grove/schemas";
import { expect, it } from "vitest";
import { startTestDevice, type TestDevice, testContext } from "../../testing/deps";
import { commit, git } from "../../testing/repository";
import { prepareTool, type Requester } from "../../tool";
import { makeTurnPoint } from "../points/turnPoint";
import { createTools } from "../tools";

type Against = "base" | "head" | "turn" | { point: string };

const person = (id: string | null): Requester => ({ id, isOwner: async () => true });
const ada = person(randomUUID());

/** A device with a workspace whose branch has a commit of its own. */
async function setUp() {
  const device = await startTestDevice();
  const { id: projectId, path: repository } = await device.addRepository("app");
  const run = runOn(device);
  const create = async (name: string) =>
    (await run("create_workspace", { projectId, workspaces: [{ name }] })).workspaces[0] as Required<
      Pick<WorkspaceMade, "id" | "path">
    >;
  const { id: workspaceId, path } = await create("one");
  await commit(path, "committed.txt", "one\n");
  const write = (name: string, content: string) => writeFile(join(path, name), content);
  const makePoint = async (id = workspaceId) => (await run("make_point", { workspaceId: id })).point ?? "";
  const files = async (against: Against) =>
    (await run("get_workspace_diff", { workspaceId, against })).files.map((file) => file.path);
  const turn = (moment: "start" | "end") => makeTurnPoint(device, workspaceId, moment, testContext().log);
  const mark = (point: string, by = ada) => run("mark_seen", { workspaceId, point }, by);
  return { device, repository, path, workspaceId, create, run, write, makePoint, files, turn, mark };
}

/** Runs a tool as a command does: its parameters are checked first. */
const runOn =
  (device: TestDevice) =>
  async <Name extends DeviceToolName>(
    name: Name,
    params: unknown,
    requester = ada,
  ): Promise<DeviceToolResult<Name>> => {
    const answer = await prepareTool(createTools(device), name, params)({ ...testContext(), requester });
    return deviceTools[name].result.parse(answer) as DeviceToolResult<Name>;
  };

it("compares with the base, the last commit, the agent's turn, and what a person has seen", async () => {
  const { write, makePoint, files, turn, mark } = await setUp();
  await write("uncommitted.txt", "one\n");
  await turn("start");
  await write("first-turn.txt", "one\n");
  await turn("end");
  const seen = await makePoint();
  await mark(seen);
  await turn("start");
  await write("second-turn.txt", "one\n");
  // A comment's snapshot during a turn does not shorten the turn.
  await makePoint();
  await write("later.txt", "one\n");

  const all = ["committed.txt", "first-turn.txt", "later.txt", "second-turn.txt", "uncommitted.txt"];
  expect(await files("base")).toEqual(all);
  expect(await files("head")).toEqual(all.slice(1));
  expect(await files("turn")).toEqual(["later.txt", "second-turn.txt"]);
  expect(await files({ point: seen })).toEqual(["later.txt", "second-turn.txt"]);
  await turn("end");
  expect(await files("turn")).toEqual(["later.txt", "second-turn.txt"]);
  await turn("start");
  expect(await files("turn")).toEqual([]);
});

it("refuses to compare with a turn that left no restore point", async () => {
  const { files, turn, device, path } = await setUp();
  await expect(files("turn")).rejects.toMatchObject({
    reason: "point_gone",
    message: expect.stringContaining("Compare with base"),
  });
  await turn("start");
  expect(await files("turn")).toEqual([]);
  // The next turn has none, and the one before is not shown in its place.
  await git(["remote", "add", "copy", device.directory], { cwd: path });
  await git(["config", "remote.copy.mirror", "true"], { cwd: path });
  await turn("start");
  await expect(files("turn")).rejects.toMatchObject({ reason: "point_gone" });
});

it.each([
  "HEAD",
  "main",
  "refs/heads/main",
  "--output=/tmp/x",
  "HEAD~1",
  ":/one",
  "@{1}",
  "",
  "main:committed.txt",
])("refuses the revision %j before it reaches git", async (point) => {
  const { files, mark } = await setUp();
  await expect(files({ point })).rejects.toMatchObject({ reason: "invalid_params" });
  await expect(mark(point)).rejects.toMatchObject({ reason: "invalid_params" });
});

it("refuses commits that are not points of the workspace, with the next step", async () => {
  const { create, makePoint, path, files, mark, repository, workspaceId, run } = await setUp();
  const other = await create("other");
  await writeFile(join(other.path, "other.txt"), "one\n");
  const head = (await git(["rev-parse", "HEAD"], { cwd: path })).trim();
  const tree = (await git(["rev-parse", "HEAD^{tree}"], { cwd: path })).trim();
  // Grove's own refs that are not points, and the refs of others.
  await git(["update-ref", `refs/grove/${workspaceId}/pushed`, head], { cwd: repository });
  await git(["update-ref", `refs/grove/rescue/${workspaceId}`, head], { cwd: repository });
  await git(["update-ref", `refs/heads/grove/${workspaceId}/seen/x`, head], { cwd: repository });
  const ofOther = await makePoint(other.id);
  await run("mark_seen", { workspaceId: other.id, point: ofOther });
  for (const point of [head, tree, ofOther, "0".repeat(40)]) {
    const refusal = { reason: "point_gone", message: expect.stringContaining("list_points") };
    await expect(files({ point })).rejects.toMatchObject(refusal);
    await expect(mark(point)).rejects.toMatchObject(refusal);
  }
});

it("keeps what each person has seen, until the person marks another point", async () => {
  const { write, makePoint, files, mark, run, repository, workspaceId } = await setUp();
  await write("seen.txt", "one\n");
  const first = await makePoint();
  await mark(first);
  await mark(first, person(null));
  await write("later.txt", "one\n");
  const second = await makePoint();
  // As if the points had expired.
  const expire = async () => {
    const refs = await git(["for-each-ref", "--format=%(refname)", `refs/grove/${workspaceId}/turn`], {
      cwd: repository,
    });
    for (const ref of refs.split("\n").filter(Boolean))
      await git(["update-ref", "-d", ref], { cwd: repository });
    await git(["reflog", "expire", "--expire=now", "--all"], { cwd: repository });
    await git(["gc", "--quiet", "--prune=now"], { cwd: repository });
  };
  await mark(second, person(randomUUID()));
  await expire();
  expect(await files({ point: first })).toEqual(["later.txt"]);
  expect(await files({ point: second })).toEqual([]);
  expect((await run("list_points", { workspaceId })).points).toMatchObject([{ kind: "fork" }]);

  await write("later.txt", "two\n");
  const third = await makePoint();
  await mark(third);
  await mark(third, person(null));
  await expire();
  expect(await files({ point: third })).toEqual([]);
  await expect(files({ point: first })).rejects.toMatchObject({ reason: "point_gone" });
  await expect(git(["cat-file", "-e", first], { cwd: repository })).rejects.toThrow();
});

it("finds comments on both sides in every scope", async () => {
  const { write, makePoint, mark, run, workspaceId, path, turn } = await setUp();
  await write("login.ts", "first();\nsecond();\nthird();\n");
  const seen = await makePoint();
  await mark(seen);
  await turn("start");
  await write("login.ts", "zeroth();\nfirst();\nthird();\nfourth();\n");
  const anchorsIn = async (against: Against) => {
    const options = { workspaceId, against, paths: ["login.ts"], snapshot: true };
    const { from, snapshot } = await run("get_workspace_diff", options);
    const sides = snapshot?.files[0];
    const lines = { path: "login.ts", from: 3, to: 3 };
    return [
      { ...lines, side: "before" as const, point: from ?? "", blob: sides?.before ?? "" },
      { ...lines, side: "after" as const, point: snapshot?.point ?? "", blob: sides?.after ?? "" },
    ] as const;
  };
  const [before, after] = await anchorsIn({ point: seen });
  expect(before.point).toBe(seen);
  expect((await anchorsIn("turn"))[0]).toEqual(before);
  const places = async (against: Against) =>
    (await run("resolve_anchors", { workspaceId, anchors: [before, after], against })).places;
  const isHere = { status: "here" };
  expect(await places({ point: seen })).toEqual([isHere, isHere]);
  expect(await places("turn")).toEqual([isHere, isHere]);
  // Neither the base nor the last commit has the file.
  expect(await places("base")).toEqual([{ status: "gone" }, isHere]);
  expect(await places("head")).toEqual([{ status: "gone" }, isHere]);
  await commit(path, "login.ts", "minus();\nzeroth();\nfirst();\nfourth();\n");
  expect(await places({ point: seen })).toEqual([
    isHere,
    { status: "outdated", path: "login.ts", nearest: expect.any(Number) },
  ]);
  await rm(join(path, "login.ts"));
  expect(await places("head")).toMatchObject([{ status: "outdated" }, { status: "gone" }]);
  // A point that was deleted leaves the comments on the side after.
  expect(await places({ point: "0".repeat(40) })).toEqual([{ status: "unknown" }, { status: "gone" }]);
});
