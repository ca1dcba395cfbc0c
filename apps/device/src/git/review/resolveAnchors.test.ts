import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Anchor, AnchorPlace } from "@grove/schemas";
import { seeded } from "@grove/testing/random";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it } from "vitest";
import { commit, git, makeRepository } from "../../testing/repository";
import { makePoint } from "../points/makePoint";
import { withSnapshot } from "../points/snapshot";
import { type OpenWorktree, openWorktree } from "../worktree/openWorktree";
import { addWorktree } from "../worktree/worktree";
import { resolveAnchors } from "./resolveAnchors";

const workspaceId = "0d6a2f0e-7c57-4a52-9b0b-6f8a4c6f2c11";

type LineAnchor = Extract<Anchor, { from: number }>;

/** How many histories of edits are tried. */
const HISTORIES = Number(process.env.ANCHOR_HISTORIES ?? 200);
const FILES = 20;

async function setUp(content: string) {
  const directory = await temporaryDirectory();
  const repository = await makeRepository(join(directory, "repository"), { commits: 0 });
  const head = await commit(repository, "login.ts", content);
  const path = join(directory, "tree");
  await addWorktree(git, { repository, path, branch: "work", commit: head });
  const worktree = await openWorktree(git, repository, path);
  const { point } = await makePoint(worktree, { workspaceId });
  return { worktree, path, head, point, anchor: await anchorIn(worktree, point) };
}

async function fileIn(worktree: OpenWorktree, point: string, path = "login.ts") {
  const blob = (await worktree.git(["rev-parse", `${point}:${path}`])).trim();
  return { point, path, side: "after" as const, blob };
}

async function anchorIn(worktree: OpenWorktree, point: string, path?: string) {
  const file = await fileIn(worktree, point, path);
  return (from: number, to = from) => ({ ...file, from, to });
}

const resolve = (worktree: OpenWorktree, anchors: Anchor[], before: string | null = null) =>
  withSnapshot(worktree, undefined, ({ tree }) => resolveAnchors(worktree, anchors, { before, after: tree }));

const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
const numbered = (count: number) =>
  Array.from({ length: count }, (_, at) => `const value${at} = read(${at});`);

it("unchanged lines are here, moved by lines before them, or moved with their file", async () => {
  const lines = numbered(30);
  const { worktree, path, anchor } = await setUp(text(lines));
  expect(await resolve(worktree, [anchor(5, 6)])).toEqual([{ status: "here" }]);
  await writeFile(join(path, "login.ts"), text(["first", ...lines]));
  const moved = { status: "moved", path: "login.ts", from: 6, to: 7 };
  expect(await resolve(worktree, [anchor(5, 6)])).toEqual([moved]);
  await rename(join(path, "login.ts"), join(path, "sign in.ts"));
  expect(await resolve(worktree, [anchor(5, 6)])).toEqual([{ ...moved, path: "sign in.ts" }]);
});

it("changed lines are outdated, and found again if they occur once", async () => {
  const lines = numbered(30);
  const { worktree, path, anchor } = await setUp(text(lines));
  const edited = lines.with(9, "something else");
  await writeFile(join(path, "login.ts"), text(edited));
  const outdated = { status: "outdated", path: "login.ts", nearest: 10 };
  expect(await resolve(worktree, [anchor(10), anchor(9, 11), anchor(11)])).toEqual([
    ...[outdated, outdated],
    { status: "here" },
  ]);
  const [first = "", ...others] = lines;
  await writeFile(join(path, "login.ts"), text([...others, first]));
  expect(await resolve(worktree, [anchor(1)])).toEqual([
    { status: "moved", path: "login.ts", from: 30, to: 30 },
  ]);
});

it("lines inserted within a range make it outdated, and those beside it do not", async () => {
  const lines = numbered(10);
  const { worktree, path, anchor } = await setUp(text(lines));
  await writeFile(join(path, "login.ts"), text([...lines.slice(0, 4), "new", ...lines.slice(4)]));
  const [within, above, below] = await resolve(worktree, [anchor(4, 5), anchor(1, 4), anchor(5, 6)]);
  expect([within?.status, above]).toEqual(["outdated", { status: "here" }]);
  expect(below).toEqual({ status: "moved", path: "login.ts", from: 6, to: 7 });
});

it("resolves a deleted file as `gone`, and an unknown commit or blob as `unknown`", async () => {
  const { worktree, path, anchor } = await setUp(text(numbered(3)));
  await rm(join(path, "login.ts"));
  const lost = { ...anchor(1), point: "1".repeat(40), blob: "2".repeat(40) };
  expect(await resolve(worktree, [anchor(1), lost])).toEqual([{ status: "gone" }, { status: "unknown" }]);
});

it("a removed restore point does not matter while its blob is kept", async () => {
  const lines = numbered(8);
  const { worktree, path, anchor } = await setUp(text(lines));
  await writeFile(join(path, "login.ts"), text(["first", ...lines]));
  expect(await resolve(worktree, [{ ...anchor(2), point: "1".repeat(40) }])).toEqual([
    { status: "moved", path: "login.ts", from: 3, to: 3 },
  ]);
});

it("the side before is found in the base, not in the worktree", async () => {
  const lines = numbered(8);
  const { worktree, path, head, anchor } = await setUp(text(lines));
  await writeFile(join(path, "login.ts"), text(["first", ...lines]));
  const before: Anchor = { ...anchor(2), point: head, side: "before" };
  expect(await resolve(worktree, [before], head)).toEqual([{ status: "here" }]);
  expect(await resolve(worktree, [before], null)).toEqual([{ status: "unknown" }]);
});

it("a whole file is here after edits, moved by a rename, gone when it was deleted, and the change is always here", async () => {
  const lines = numbered(30);
  const { worktree, path, point } = await setUp(text(lines));
  const file = await fileIn(worktree, point);
  const lost = { ...file, point: "1".repeat(40) };
  const asked: Anchor[] = [file, lost, { point }, { point: lost.point }];
  const here = { status: "here" };
  await writeFile(join(path, "login.ts"), text(["first", ...lines.slice(5)]));
  expect(await resolve(worktree, asked)).toEqual([here, here, here, here]);
  await rename(join(path, "login.ts"), join(path, "sign in.ts"));
  const moved = { status: "moved", path: "sign in.ts" };
  expect(await resolve(worktree, asked)).toEqual([moved, { status: "unknown" }, here, here]);
  await rm(join(path, "sign in.ts"));
  expect(await resolve(worktree, asked)).toEqual([{ status: "gone" }, { status: "unknown" }, here, here]);
});

it("a deleted file is found in the base", async () => {
  const { worktree, path, head } = await setUp(text(numbered(3)));
  const before: Anchor = { ...(await fileIn(worktree, head)), side: "before" };
  await rm(join(path, "login.ts"));
  expect(await resolve(worktree, [before], head)).toEqual([{ status: "here" }]);
  expect(await resolve(worktree, [before], null)).toEqual([{ status: "unknown" }]);
});

/** A line, with the number by which it is recognized after edits. */
interface Known {
  id: number;
  text: string;
}

/** Many lines have the same text, as in code. */
const COMMON = ["}", "", "  return;", "  if (user) {", "  const result = await load(user);"];

function makeHistory(seed: number) {
  const random = seeded(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  let next = 0;
  const line = (): Known => {
    const id = next++;
    return { id, text: random() < 0.3 ? (COMMON[below(COMMON.length)] ?? "") : `line ${seed} ${id}` };
  };
  const before = Array.from({ length: 20 + below(100) }, line);
  const after = [...before];
  for (let edits = 1 + below(8); edits > 0; edits--) {
    const at = below(after.length);
    const kind = below(4);
    if (kind === 0) after.splice(at, 0, ...Array.from({ length: 1 + below(4) }, line));
    else if (kind === 1) after.splice(at, 1 + below(3));
    else if (kind === 2) after.splice(at, 1 + below(2), line());
    else after.splice(below(after.length), 0, ...after.splice(at, 1 + below(3)));
  }
  const ranges = Array.from({ length: 6 }, () => {
    const from = 1 + below(before.length);
    return { from, to: Math.min(before.length, from + below(3)) };
  });
  return { before, after, ranges };
}

/** Where the same lines still stand together; undefined if they no longer do. */
function placeOfLines(wanted: readonly Known[], lines: readonly Known[]): number | undefined {
  const start = lines.findIndex(({ id }) => id === wanted[0]?.id);
  return start >= 0 && wanted.every(({ id }, at) => lines[start + at]?.id === id) ? start + 1 : undefined;
}

it("no generated history of edits puts a comment on other lines", { timeout: 300_000 }, async () => {
  const histories = Array.from({ length: HISTORIES }, (_, seed) => makeHistory(seed + 1));
  const counts = { untouched: 0, found: 0, placed: 0, wrong: [] as unknown[] };
  for (let start = 0; start < histories.length; start += FILES) {
    const batch = histories.slice(start, start + FILES).map((one, at) => ({ ...one, name: `${at}.ts` }));
    const { worktree, path } = await setUp("base\n");
    const write = async (side: "before" | "after") => {
      for (const { name, ...one } of batch)
        await writeFile(join(path, name), text(one[side].map(({ text: words }) => words)));
    };
    await write("before");
    const { point } = await makePoint(worktree, { workspaceId });
    const asked: { anchor: LineAnchor; one: (typeof batch)[number] }[] = [];
    for (const one of batch) {
      const anchor = await anchorIn(worktree, point, one.name);
      for (const { from, to } of one.ranges) asked.push({ anchor: anchor(from, to), one });
    }
    await write("after");
    const places = await resolve(
      worktree,
      asked.map(({ anchor }) => anchor),
    );
    for (const [index, { anchor, one }] of asked.entries()) check(places[index], anchor, one, counts);
  }
  expect(counts.wrong).toEqual([]);
  expect(counts.placed).toBeGreaterThan(HISTORIES * 2);
  expect(counts.found / counts.untouched).toBeGreaterThanOrEqual(0.95);
});

function check(
  place: AnchorPlace | undefined,
  { path, from, to }: LineAnchor,
  { before, after }: Pick<ReturnType<typeof makeHistory>, "before" | "after">,
  counts: { untouched: number; found: number; placed: number; wrong: unknown[] },
) {
  const wanted = before.slice(from - 1, to);
  const standing = placeOfLines(wanted, after);
  const start = place?.status === "here" ? from : place?.status === "moved" ? place.from : undefined;
  if (standing !== undefined) counts.untouched++;
  if (standing !== undefined && start !== undefined) counts.found++;
  if (start === undefined) return;
  counts.placed++;
  const found = after.slice(start - 1, start - 1 + wanted.length);
  const hasSameText = wanted.every(({ text: words }, at) => found[at]?.text === words);
  // Most lines have a text of their own, so the same text means the same line.
  if (!hasSameText) counts.wrong.push({ path, from, to, place, standing });
}
