import { expect, it } from "vitest";
import { anyId, ask, newTenant, onlineDevice } from "../testing/tool";

const workspace = {
  ...{ id: anyId, projectId: anyId, name: "fern", branch: "fern", path: "/w/fern", state: "ready" },
  ...{ dirty: true, ahead: 1, behind: 0, active: false },
};
const details = {
  workspace,
  changes: [{ status: " M", path: "src/a b.ts" }],
  changesTotal: 1,
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
    changes: [" M src/a b.ts"],
    changesTotal: 1,
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
