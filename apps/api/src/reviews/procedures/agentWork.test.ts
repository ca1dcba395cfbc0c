import { newId } from "@grove/db";
import { expect, it } from "vitest";
import { projectFields } from "../../testing/fixtures";
import { failure, useTestServer } from "../../testing/server";
import { anchor, COMMIT, useReviewedMachine } from "../testing";

const server = await useTestServer();
const { db } = server.database;
const ada = await server.signUp("Ada");
const { organizationId } = ada;
const { machine } = useReviewedMachine(server, ada);

const done = { summary: "Locked accounts are refused.", tests: ["npm test: 34 passed"] };

/** A machine whose agent session Ada has started, perhaps with an API key. */
async function started(startedWith = `user:${ada.user.id}`) {
  const made = await machine();
  const { device, sessionId } = made;
  const moveTo = (workspaceId: string | null) =>
    db.updateTable("agent_sessions").set({ workspace_id: workspaceId }).where("id", "=", sessionId).execute();
  await db
    .updateTable("agent_sessions")
    .set({ started_by: ada.user.id, started_with: startedWith })
    .where("id", "=", sessionId)
    .execute();
  const { agent } = device.client;
  return { ...made, agent, moveTo };
}

type Agent = Awaited<ReturnType<typeof started>>["agent"];

/** Calls each procedure for the agent of a session. */
const asks = (agent: Agent, sessionId: string, id = newId()) => [
  agent.listReviewComments.query({ sessionId }),
  agent.answerComment.mutate({ sessionId, id, state: "fixed" }),
  agent.finishWork.mutate({ sessionId, ...done }),
];

const failures = (agent: Agent, sessionId: string) => Promise.all(asks(agent, sessionId).map(failure));

it("lists the open comments with their authors and answers, and no drafts", async () => {
  const { save, send, agent, sessionId, list } = await started();
  const [first, second] = [await save("Check for a locked account."), await save("Name it better.")];
  expect(await agent.listReviewComments.query({ sessionId })).toEqual([]);
  await send();
  await save("Not sent yet");
  await agent.answerComment.mutate({ sessionId, id: first.id, state: "question", body: "Which account?" });
  await ada.client.workspace.review.settle.mutate({ organizationId, id: second.id, resolved: true });
  const claim = { state: "question", commit: null, body: "Which account?", at: expect.any(String) };
  expect(await agent.listReviewComments.query({ sessionId })).toEqual([
    { id: first.id, anchor, body: "Check for a locked account.", claim, author: "Ada" },
  ]);
  expect((await list()).comments).toHaveLength(3);
});

it("records an answer with a commit that the device has found", async () => {
  const { save, send, agent, sessionId, list } = await started();
  const { id } = await save("Words");
  await send();
  const answer = { sessionId, id, state: "fixed" as const };
  const unknown = agent.answerComment.mutate({ ...answer, commit: "d".repeat(40) });
  expect(await failure(unknown)).toMatchObject({ reason: "commit_unknown" });
  await agent.answerComment.mutate({ ...answer, commit: "ccccccc" });
  expect(await list()).toMatchObject({ comments: [{ claim: { state: "fixed", commit: COMMIT } }] });
  const command = await db
    .selectFrom("device_commands")
    .select(["requested_by", "principal"])
    .where("organization_id", "=", organizationId)
    .where("tool", "=", "find_commit")
    .executeTakeFirst();
  expect(command).toEqual({ requested_by: ada.user.id, principal: `user:${ada.user.id}` });
});

it("records finished work", async () => {
  const { agent, sessionId, changeId } = await started();
  expect(await agent.finishWork.mutate({ sessionId, ...done })).toMatchObject({ id: changeId, ...done });
});

it("refuses a draft, and comments on other workspaces of the same person", async () => {
  const { save, agent, sessionId } = await started();
  const other = await started();
  const draft = await save("Not sent yet");
  const foreign = await other.save("Elsewhere");
  await other.send();
  const answer = (id: string) => failure(agent.answerComment.mutate({ sessionId, id, state: "fixed" }));
  expect(await answer(draft.id)).toMatchObject({ reason: "comment_not_sent" });
  expect(await answer(foreign.id)).toMatchObject({ code: "NOT_FOUND" });
});

it("refuses another device's session, and one that has ended", async () => {
  const { agent, sessionId, moveTo } = await started();
  const other = await started();
  expect(await failures(other.agent, sessionId)).toEqual(
    Array(3).fill(expect.objectContaining({ code: "NOT_FOUND" })),
  );
  await moveTo(null);
  expect(await failures(agent, sessionId)).toEqual(
    Array(3).fill(expect.objectContaining({ reason: "workspace_not_on_device" })),
  );
  await agent.reportSession.mutate({ type: "end", id: sessionId, status: "exited" });
  expect(await failures(agent, sessionId)).toEqual(
    Array(3).fill(expect.objectContaining({ code: "PRECONDITION_FAILED", reason: "session_ended" })),
  );
});

it("acts for the API key that has started the session, until it is revoked", async () => {
  const scopes: ("read" | "write")[] = ["read", "write"];
  const { id } = await ada.client.apiKey.create.mutate({ organizationId, name: "agent", scopes });
  const { agent, sessionId } = await started(`api_key:${id}`);
  await agent.finishWork.mutate({ sessionId, ...done });
  await ada.client.apiKey.revoke.mutate({ organizationId, id });
  expect(await failures(agent, sessionId)).toEqual(
    Array(3).fill(expect.objectContaining({ reason: "requester_revoked" })),
  );
});

it("needs a workspace with a branch of its own", async () => {
  const { device, agent, sessionId, moveTo } = await started();
  const workspace = { id: newId(), name: "tree", type: "main" as const, config: {} };
  await device.client.workspace.ensure.mutate({ organizationId, project: projectFields(), workspace });
  await moveTo(workspace.id);
  const missing = { code: "NOT_FOUND", message: expect.stringContaining("no branch of its own") };
  expect(await failure(agent.listReviewComments.query({ sessionId }))).toMatchObject(missing);
  expect(await failure(agent.finishWork.mutate({ sessionId, ...done }))).toMatchObject(missing);
});

it.each([
  [{ state: "declined" }, "body"],
  [{ state: "question", body: "Why?", commit: COMMIT }, "commit"],
] as const)("refuses the answer %o", async (fields, field) => {
  const { agent, sessionId } = await started();
  expect(await failure(agent.answerComment.mutate({ sessionId, id: newId(), ...fields }))).toMatchObject({
    code: "BAD_REQUEST",
    data: { fieldErrors: { [field]: [expect.any(String)] } },
  });
});
