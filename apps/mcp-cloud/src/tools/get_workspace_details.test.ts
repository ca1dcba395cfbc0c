import { expect, it } from "vitest";
import { anyId, ask, newTenant, onlineDevice } from "../testing/tool";

const workspace = {
  id: anyId,
  projectId: anyId,
  name: "fern",
  branch: "fern",
  path: "/w/fern",
  state: "ready",
  dirty: true,
  ahead: 1,
  behind: 0,
  active: false,
};
const details = {
  workspace,
  portBase: 20_000,
  ports: [],
  changes: [
    { status: " M", path: "src/a b.ts" },
    { status: " R", path: "new.ts", oldPath: "old.ts" },
  ],
  changesTotal: 2,
  commits: [{ sha: "0a1b2c3", subject: "Fix it", author: "Ada", at: "2026-11-21T10:00:00Z" }],
  diff: { base: "main", filesChanged: 2, insertions: 10, deletions: 3 },
  sessions: [
    { id: anyId, agent: "claude", status: "running", startedAt: "2026-11-21T10:00:00Z", output: "> " },
  ],
};

it("summarizes a workspace", async () => {
  const ada = await newTenant();
  const { device, asked } = await onlineDevice(ada, () => ({ result: details }));
  expect((await ask(ada, "get_workspace_details", { workspaceId: anyId })).data).toEqual({
    deviceId: device.id,
    workspace,
    changes: [" M src/a b.ts", " R old.ts -> new.ts"],
    changesTotal: 2,
    truncated: false,
    commits: ["0a1b2c3 Fix it (Ada, 2026-11-21T10:00:00Z)"],
    diff: "2 files changed, 10 insertions, 3 deletions against main",
    sessions: details.sessions,
  });
  expect(asked).toEqual([{ tool: "get_workspace_details", params: { workspaceId: anyId } }]);
});

it("reports when there are more changes than it lists, and nothing about an unknown base", async () => {
  const ada = await newTenant();
  await onlineDevice(ada, () => ({ result: { ...details, changesTotal: 900, diff: null } }));
  const { data } = await ask(ada, "get_workspace_details", { workspaceId: anyId });
  expect(data).toMatchObject({ changesTotal: 900, truncated: true });
  expect(data).not.toHaveProperty("diff");
});

it("marks the hidden characters of files, subjects, authors, workspaces and branches", async () => {
  const ada = await newTenant();
  const [commit] = details.commits;
  await onlineDevice(ada, () => ({
    result: {
      ...details,
      workspace: { ...details.workspace, name: "fe\u2067rn", branch: "x\u200by", path: "/w/a\u202eb" },
      changes: [{ status: "??", path: "n\u202egpj.exe" }],
      commits: [{ ...commit, subject: "Fix\u200b it", author: "A\u2066da" }],
    },
  }));
  expect((await ask(ada, "get_workspace_details", { workspaceId: anyId })).data).toMatchObject({
    workspace: { name: "fe⟨RLI⟩rn", branch: "x⟨ZWSP⟩y", path: "/w/a⟨RLO⟩b" },
    changes: ["?? n⟨RLO⟩gpj.exe"],
    commits: ["0a1b2c3 Fix⟨ZWSP⟩ it (A⟨LRI⟩da, 2026-11-21T10:00:00Z)"],
  });
});

/** A device whose workspace differs in these files. */
const deviceWith = (
  tenant: Awaited<ReturnType<typeof newTenant>>,
  files: object[],
  filesTotal = files.length,
) => {
  const common = { oldPath: null, status: "modified", insertions: 1, deletions: 0, binary: false };
  const state = { oldMode: "100644", mode: "100644", blob: null, patch: null, omitted: null };
  const totals = { base: "main", from: null, head: null, insertions: 1, deletions: 0, untracked: 0 };
  return onlineDevice(tenant, () => ({
    result: {
      ...totals,
      filesTotal,
      truncated: filesTotal > files.length,
      files: files.map((file) => ({ ...common, ...state, ...file })),
    },
  }));
};

it("reads the lines of a long diff in bounded parts, to the end", async () => {
  const ada = await newTenant();
  const patch = `diff --git a/a b/a\n@@ -0,0 +1 @@\n${"+line 日本\n".repeat(3_000)}`;
  const small = "diff --git a/b b/b\n+end\n";
  const { asked } = await deviceWith(ada, [
    { path: "a", patch },
    { path: "b", patch: small },
  ]);
  let text = "";
  let diffOffset: number | undefined = 0;
  while (diffOffset !== undefined) {
    const answer = await ask(ada, "get_workspace_details", { workspaceId: anyId, diffOffset });
    expect(Buffer.byteLength(answer.text)).toBeLessThan(17_000);
    text += answer.data?.diffText;
    diffOffset = answer.data?.nextOffset as number | undefined;
  }
  expect(text).toBe(patch + small);
  expect(new Set(asked.map(({ tool }) => tool))).toEqual(new Set(["get_workspace_diff"]));
});

it("names the files of which a diff has no lines, and how to read them", async () => {
  const ada = await newTenant();
  const files = [
    { path: "logo.png", binary: true, status: "untracked" },
    { path: "dump.sql", omitted: "too_large" },
    { path: "src/a.ts", omitted: "no_room" },
    { path: "libs/sub", omitted: "submodule" },
    { path: "odd\u202ename", patch: "" },
  ];
  const { asked } = await deviceWith(ada, files, 7);
  const read = (args: object) => ask(ada, "get_workspace_details", { workspaceId: anyId, ...args });
  const { data } = await read({ diffOffset: 0, path: "src" });
  expect(asked[0]?.params).toMatchObject({ workspaceId: anyId, paths: ["src"] });
  expect(data?.diffText).toBe(
    [
      "logo.png: untracked, binary",
      "dump.sql: modified, too large to show",
      "src/a.ts: modified, omitted: read it by path",
      "libs/sub: modified, changes inside a submodule",
      "odd⟨RLO⟩name: modified, no changed lines",
      "2 more files differ: read them by path.",
      "",
    ].join("\n"),
  );
  expect((await read({ path: "src" })).text).toMatch(
    /^invalid_input: path "src" is given without diffOffset/,
  );
  expect((await read({ diffOffset: 0, path: "../x" })).text).toMatch(
    /^invalid_input: .*path within the worktree/,
  );
  expect((await read({ diffOffset: 99_999 })).data).toMatchObject({ diffText: "" });
});
