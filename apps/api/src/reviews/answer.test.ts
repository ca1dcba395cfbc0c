import { newId } from "@grove/db";
import { expect, it } from "vitest";
import { addMember } from "../testing/fixtures";
import { failure, useTestServer } from "../testing/server";
import { COMMIT, useReviewedMachine } from "./testing";

const server = await useTestServer();
const { db } = server.database;
const ada = await server.signUp("Ada");
const bob = await server.signUp("Bob");
const eve = await server.signUp("Eve");
const { organizationId } = ada;
await addMember(server, organizationId, bob, "member");
const { machine } = useReviewedMachine(server, ada);
const { review } = ada.client.workspace;

async function agentOf({ client }: typeof ada) {
  const scopes: ("read" | "write")[] = ["read", "write"];
  const { key } = await client.apiKey.create.mutate({ organizationId, name: "agent", scopes });
  return server.client(key);
}

/** A machine with a comment that was sent, and the key of an agent. */
async function sent() {
  const made = await machine();
  const { id } = await made.save("Check for a locked account.");
  await made.send();
  await db
    .updateTable("agent_sessions")
    .set({ started_by: ada.user.id })
    .where("id", "=", made.sessionId)
    .execute();
  return { ...made, id, agent: await agentOf(ada) };
}

it("records an agent's answer, which resolves nothing", async () => {
  const { id, agent, list } = await sent();
  const answer = { organizationId, id };
  const claim = { state: "fixed", commit: COMMIT, body: "Locked accounts are refused." };
  expect(
    await agent.workspace.review.answer.mutate({ ...answer, ...claim, state: "fixed", commit: "CCCCCCC" }),
  ).toMatchObject({ id, state: "sent", claim });
  const declined = { state: "declined", body: "It is checked by the caller." } as const;
  await agent.workspace.review.answer.mutate({ ...answer, ...declined });
  expect(await list()).toMatchObject({
    comments: [{ id, state: "sent", claim: { ...declined, commit: null, at: expect.any(String) } }],
  });
});

it("is kept when a person resolves the comment, and removed when a person rejects it", async () => {
  const { id, agent } = await sent();
  await agent.workspace.review.answer.mutate({ organizationId, id, state: "fixed" });
  const setResolved = (resolved: boolean) => review.settle.mutate({ organizationId, id, resolved });
  const claim = { state: "fixed", commit: null, body: "" };
  expect(await setResolved(true)).toMatchObject({ state: "resolved", claim });
  expect(await setResolved(false)).toMatchObject({ state: "sent", claim });
  expect(await setResolved(false)).toMatchObject({ state: "sent", claim: null });
});

it("refuses a commit that is not in the workspace's history, and records nothing", async () => {
  const { id, agent, list } = await sent();
  const answer = { organizationId, id, state: "fixed", commit: "d".repeat(40) } as const;
  expect(await failure(agent.workspace.review.answer.mutate(answer))).toMatchObject({
    code: "PRECONDITION_FAILED",
    reason: "commit_unknown",
  });
  expect(await list()).toMatchObject({ comments: [{ claim: null }] });
});

it.each([
  [{ state: "declined" }, "body"],
  [{ state: "question", body: " " }, "body"],
  [{ state: "question", body: "Why?", commit: COMMIT }, "commit"],
  [{ state: "fixed", commit: "main" }, "commit"],
  [{ state: "fixed", body: "x".repeat(2_001) }, "body"],
] as const)("refuses %o", async (fields, field) => {
  const input = { organizationId, id: newId(), ...fields };
  expect(await failure(review.answer.mutate(input))).toMatchObject({
    code: "BAD_REQUEST",
    data: { fieldErrors: { [field]: [expect.any(String)] } },
  });
});

it("refuses a draft, keys of others, and other organizations", async () => {
  const { id, save, deviceId, agent } = await sent();
  const answer = (client: typeof agent, commentId = id, organization = organizationId) =>
    client.workspace.review.answer.mutate({ organizationId: organization, id: commentId, state: "fixed" });
  const draft = await save("Not sent yet");
  expect(await failure(answer(agent, draft.id))).toMatchObject({ reason: "comment_not_sent" });
  expect(await failure(answer(bob.client))).toMatchObject({ reason: "device_owner_required" });
  await ada.client.device.update.mutate({ organizationId, id: deviceId, shared: true });
  expect(await failure(answer(bob.client, draft.id))).toMatchObject({ code: "NOT_FOUND" });
  expect(await failure(answer(await agentOf(bob)))).toMatchObject({
    code: "FORBIDDEN",
    reason: "not_your_change",
  });
  expect(await answer(bob.client)).toMatchObject({ claim: { state: "fixed" } });
  expect(await failure(answer(eve.client, id, eve.organizationId))).toMatchObject({ code: "NOT_FOUND" });
});

it("is removed when the comment is sent again", async () => {
  let isRefused = true;
  const { save, send, list } = await machine(() =>
    isRefused ? { error: { reason: "interrupted", message: "Refused." } } : { result: { bytes: 1 } },
  );
  const { id } = await save("Words");
  await send();
  await review.answer.mutate({ organizationId, id, state: "question", body: "Which words?" });
  isRefused = false;
  await send({ ids: [id], again: true });
  expect(await list()).toMatchObject({ comments: [{ id, state: "sent", claim: null }] });
});

it("is refused if the comment is sent again while the device searches for the commit", async () => {
  let isRefused = true;
  let sendAgain: () => Promise<unknown> = async () => undefined;
  const { save, send, list } = await machine(
    () => (isRefused ? { error: { reason: "interrupted", message: "Refused." } } : { result: { bytes: 1 } }),
    () => sendAgain(),
  );
  const { id } = await save("Words");
  await send();
  isRefused = false;
  sendAgain = () => send({ ids: [id], again: true });
  const late = review.answer.mutate({ organizationId, id, state: "fixed", commit: COMMIT });
  expect(await failure(late)).toMatchObject({ code: "CONFLICT", reason: "sent_again" });
  expect(await list()).toMatchObject({ comments: [{ id, state: "sent", claim: null }] });
});
