import { randomUUID } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Anchor } from "@grove/schemas";
import { type ScriptStep, scripted, writeScriptedClaude } from "@grove/testing/scriptedClaude";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { testContext } from "../../testing/deps";
import { startTestSession } from "../../testing/session";
import { type Made, setUp as setUpWorkspaces } from "../../testing/workspace";
import { getWorkspaceDiffTool } from "../getWorkspaceDiff";
import { resolveAnchorsTool } from "./resolveAnchors";
import { sendReviewRoundTool } from "./sendReviewRound";

const DIFF = { against: "base", context: 3, ignoreWhitespace: false, maxBytes: 100_000 } as const;

/** A workspace with a changed file, and an agent in it that takes these steps. */
async function setUp(steps: ScriptStep[]) {
  const { device, made } = await setUpWorkspaces(["one"], { commits: 1 });
  const { id: workspaceId, path } = made[0] as Made;
  await writeFile(join(path, "login.ts"), "first();\nif (user) {\n\tlogIn(user\u202e);\n}\n");
  const params = { ...DIFF, workspaceId, paths: ["login.ts"], summary: true, snapshot: true };
  const { snapshot } = await getWorkspaceDiffTool(device).run(params, testContext());
  const anchor = {
    point: snapshot?.point ?? "",
    path: "login.ts",
    side: "after" as const,
    from: 2,
    to: 3,
    blob: snapshot?.files[0]?.after ?? "",
  };
  const program = await writeScriptedClaude(await temporaryDirectory());
  const command = [program, "--", "{prompt}"];
  const session = await startTestSession(device, workspaceId, { command }, scripted(...steps));
  const sent: string[] = [];
  const send = (body = "Check for a locked account too.", comments = 1) =>
    sendOn(
      Array.from({ length: comments }, () => anchor),
      body,
    );
  const sendOn = (anchors: Anchor[], body: string) => {
    const all = anchors.map((each) => ({ id: randomUUID(), anchor: each, body }));
    sent.push(...all.map(({ id }) => id));
    const round = { id: randomUUID(), number: 2, change: "login-form", author: "Ada", comments: all };
    return sendReviewRoundTool(device).run({ sessionId: session.id, round }, testContext());
  };
  const reached = (state: string) =>
    until(() => device.sessions.registry.get(session.id).activity?.state === state);
  return { device, path, workspaceId, anchor, session, send, sendOn, sent, reached };
}

it("gives an agent that is done the comments with their lines, once, as one paste and Return", async () => {
  const { path, session, send, sent, reached, device, workspaceId, anchor } = await setUp([
    { hook: ["Stop"] },
    { prompt: true },
    { prompt: true },
  ]);
  await reached("done");
  await session.said("> ");
  await writeFile(join(path, "login.ts"), "new();\nfirst();\nif (user) {\n\tlogIn(user\u202e);\n}\n");
  const resolved = await resolveAnchorsTool(device).run(
    { workspaceId, anchors: [anchor], against: "base" },
    testContext(),
  );
  expect(resolved.places).toEqual([{ status: "moved", path: "login.ts", from: 3, to: 4 }]);
  await send();
  await session.said("(pastes: 1)");
  const prompt = `Review of login-form, round 2, by Ada. 1 comment.
Fix each one or say why not. Then answer each id in brackets with Grove's tool answer_comment, and call finish_task with workspaceId ${workspaceId}.
If you do not have these tools, run \`grove-device agent answer <id> fixed --commit <sha>\` (or declined or question, with --body <text>), then \`grove-device agent finish --summary <text>\`.

[${sent[0]}] login.ts:3-4
| if (user) {
| \tlogIn(user⟨RLO⟩);
Check for a locked account too.
`;
  expect(session.output().replaceAll("\r", "").split(prompt)).toHaveLength(2);
  // The prompt began a turn. A second round waits for its end, and the agent reads nothing more.
  await reached("working");
  await expect(send()).rejects.toMatchObject({ reason: "agent_working" });
  expect(session.output().split("(pastes: 1)")).toHaveLength(2);
});

it("quotes no lines for a comment on a file or on the whole change", async () => {
  const { path, session, sendOn, sent, reached, anchor } = await setUp([
    { hook: ["Stop"] },
    { prompt: true },
  ]);
  await reached("done");
  await session.said("> ");
  const { from: _from, to: _to, ...file } = anchor;
  const { point } = file;
  const deleted: Anchor = { ...file, side: "before" };
  await rename(join(path, "login.ts"), join(path, "sign\u202ein.ts"));
  await sendOn([file, deleted, { point }], "Split this up.");
  await session.said("(pastes: 1)");
  const prompt = `
[${sent[0]}] sign⟨RLO⟩in.ts
Split this up.

[${sent[1]}] login.ts (before the change)
Split this up.

[${sent[2]}] the whole change
Split this up.
`;
  expect(session.output().replaceAll("\r", "")).toContain(prompt);
});

it("refuses a working agent and an ended session, and types nothing", async () => {
  const { reached, send, session, device } = await setUp([{ key: true }, { print: "typed" }]);
  await reached("working");
  await expect(send()).rejects.toMatchObject({ reason: "agent_working" });
  expect(session.output()).not.toContain("typed");
  await device.sessions.registry.get(session.id).end("stopped", 0);
  await expect(send()).rejects.toMatchObject({ reason: "session_ended" });
});

it("refuses an agent that asks, and answers nothing", async () => {
  const { reached, send, session } = await setUp([{ ask: { tool_name: "Bash", tool_input: {} } }]);
  await reached("needs_permission");
  await expect(send()).rejects.toMatchObject({ reason: "agent_needs_input" });
  expect(session.output()).not.toContain("decision");
});

it("refuses a prompt that is too long before it types anything", async () => {
  const { session, send, reached } = await setUp([{ hook: ["Stop"] }, { prompt: true }]);
  await reached("done");
  await session.said("> ");
  await expect(send("word ".repeat(1_500), 5)).rejects.toMatchObject({
    reason: "too_long",
    message: expect.stringMatching(/\d+ bytes/),
  });
  expect(session.output()).not.toContain("pastes:");
  // The agent still reads its prompt: what it gets next is all it gets.
  await send("Short words.");
  await session.said("(pastes: 1)");
  expect(session.output()).not.toContain("word word");
});

it("gives an agent that is done the failed checks of a commit, as one paste and Return", async () => {
  const { device, session, reached } = await setUp([{ hook: ["Stop"] }, { prompt: true }]);
  await reached("done");
  await session.said("> ");
  const round = {
    id: randomUUID(),
    kind: "checks" as const,
    number: 1,
    of: 2,
    change: "login-form",
    head: "a".repeat(40),
    more: 0,
    failed: [{ name: "test", url: null, excerpt: "expected 1 to be 2" }],
  };
  await sendReviewRoundTool(device).run({ sessionId: session.id, round }, testContext());
  await session.said("(pastes: 1)");
  expect(session.output().replaceAll("\r", "")).toMatch(
    /<<data ([0-9a-f]{32})\ntest\nexpected 1 to be 2\n\1 data>>/,
  );
});
