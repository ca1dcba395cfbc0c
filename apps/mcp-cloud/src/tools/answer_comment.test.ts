import type { Anchor } from "@grove/schemas";
import { expect, it } from "vitest";
import { COMMIT, lines, reviewedWorkspace } from "../testing/review";
import { anyId, ask, newTenant } from "../testing/tool";

it("lists the open comments, and answers them for a person to resolve", async () => {
  const ada = await newTenant("Ada");
  const { workspaceId, ids } = await reviewedWorkspace(ada, ["Check\u202e it.", "x".repeat(2_001)]);
  const list = async () => (await ask(ada, "list_review_comments", { workspaceId })).data;
  const first = { at: "src/login.ts:3-4", author: "Ada", truncated: false, body: "Check⟨RLO⟩ it." };
  expect(await list()).toEqual({
    comments: [
      { id: ids[0], ...first },
      { id: ids[1], ...first, body: "x".repeat(2_000), truncated: true },
    ],
    total: 2,
    next: null,
  });
  const fixed = { commentId: ids[0], state: "fixed", commit: COMMIT.slice(0, 8) };
  expect((await ask(ada, "answer_comment", fixed)).data).toEqual({ commentId: ids[0], commit: COMMIT });
  const question = { commentId: ids[1], state: "question", body: "Which x?" };
  expect((await ask(ada, "answer_comment", question)).data).toEqual({ commentId: ids[1], commit: null });
  expect(await list()).toMatchObject({ comments: [{ answer: "fixed" }, { answer: "question" }] });
  const { organizationId } = ada;
  await ada.client.workspace.review.settle.mutate({ organizationId, id: ids[0] ?? "", resolved: true });
  expect(await list()).toMatchObject({ comments: [{ id: ids[1] }], total: 1 });
});

it("lists a comment on a file by its path, and one on the whole change without a path", async () => {
  const ada = await newTenant();
  const { from: _from, to: _to, ...file } = lines;
  const at = async (anchor: Anchor) => {
    const { workspaceId } = await reviewedWorkspace(ada, ["Check it."], anchor);
    return (await ask(ada, "list_review_comments", { workspaceId })).data;
  };
  expect(await at(file)).toMatchObject({ comments: [{ at: "src/login.ts" }] });
  expect(await at({ ...file, side: "before" })).toMatchObject({
    comments: [{ at: "src/login.ts (before the change)" }],
  });
  expect(await at({ point: lines.point })).toMatchObject({ comments: [{ at: "the whole change" }] });
});

it("refuses commits elsewhere, answers without a reason, and what does not exist", async () => {
  const ada = await newTenant();
  const { ids } = await reviewedWorkspace(ada, ["Check it."]);
  const refusal = async (args: object) =>
    (await ask(ada, "answer_comment", { commentId: ids[0], ...args })).text;
  expect(await refusal({ state: "fixed", commit: "d".repeat(40) })).toMatch(/^commit_unknown: /);
  expect(await refusal({ state: "declined" })).toMatch(/^invalid_input: /);
  expect(await refusal({ state: "fixed", commentId: anyId })).toMatch(/^not_found: .*list_review_comments/);
  const { text } = await ask(ada, "list_review_comments", { workspaceId: anyId });
  expect(text).toMatch(/^not_found: .*list_workspaces/);
});
