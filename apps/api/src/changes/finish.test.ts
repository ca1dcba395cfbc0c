import { newId } from "@grove/db";
import { expect, it } from "vitest";
import { useReviewedMachine } from "../reviews/testing";
import { addMember, projectFields } from "../testing/fixtures";
import { failure, useTestServer } from "../testing/server";
import { stateReporter } from "../testing/stateReporter";

const server = await useTestServer();
const ada = await server.signUp("Ada");
const bob = await server.signUp("Bob");
const eve = await server.signUp("Eve");
const { organizationId } = ada;
await addMember(server, organizationId, bob, "member");
const { machine } = useReviewedMachine(server, ada);
const { change } = ada.client.workspace;

const done = { summary: "Locked accounts are refused.", tests: ["npm test: 34 passed"] };
const working = { finishedAt: null, summary: null, tests: [] };

/** A machine with an agent session whose state can be reported. */
async function reporting() {
  const made = await machine();
  const { device, sessionId, workspaceId, changeId } = made;
  const report = stateReporter(device, sessionId);
  const finish = (by = ada.client) =>
    by.workspace.change.finish.mutate({ organizationId, workspaceId, ...done });
  const read = () => change.get.query({ organizationId, id: changeId });
  return { ...made, report, finish, read };
}

it("keeps the summary and the tests until the agent begins another turn", async () => {
  const { report, finish, read } = await reporting();
  await report("working");
  expect(await finish()).toMatchObject({ ...done, finishedAt: expect.any(String) });
  // The same turn continues, and ends.
  await report("needs_permission", { ageMs: 0 });
  await report("working", { ageMs: 60_000 });
  await report("done");
  // A guess from the screen is not a turn.
  await report("working", { source: "screen" });
  expect(await read()).toMatchObject(done);
  await report("working");
  expect(await read()).toMatchObject(working);
});

it("is cleared by a review round", async () => {
  const { finish, read, save, send } = await reporting();
  await finish();
  await save("Name it better.");
  expect(await read()).toMatchObject(done);
  await send();
  expect(await read()).toMatchObject(working);
});

it("is reported by the key of the person who started an agent session there, and by users of the device", async () => {
  const { finish, deviceId, sessionId } = await reporting();
  const { key } = await ada.client.apiKey.create.mutate({
    organizationId,
    name: "agent",
    scopes: ["read", "write"],
  });
  const agent = server.client(key);
  expect(await failure(finish(agent))).toMatchObject({ code: "FORBIDDEN", reason: "not_your_change" });
  await server.database.db
    .updateTable("agent_sessions")
    .set({ started_by: ada.user.id })
    .where("id", "=", sessionId)
    .execute();
  expect(await finish(agent)).toMatchObject(done);
  expect(await failure(finish(bob.client))).toMatchObject({ reason: "device_owner_required" });
  await ada.client.device.update.mutate({ organizationId, id: deviceId, shared: true });
  expect(await finish(bob.client)).toMatchObject(done);
  expect(await failure(finish(eve.client))).toMatchObject({ code: "FORBIDDEN" });
});

it("needs a branch of the workspace's own, and a summary", async () => {
  const { device } = await reporting();
  const workspace = { id: newId(), name: "tree", type: "main" as const, config: {} };
  await device.client.workspace.ensure.mutate({ organizationId, project: projectFields(), workspace });
  const input = { organizationId, workspaceId: workspace.id };
  expect(await failure(change.finish.mutate({ ...input, ...done }))).toMatchObject({ code: "NOT_FOUND" });
  for (const fields of [
    { summary: " " },
    { summary: "x".repeat(4_001) },
    { summary: "x", tests: Array(51).fill("x") },
  ])
    expect(await failure(change.finish.mutate({ ...input, ...fields }))).toMatchObject({
      code: "BAD_REQUEST",
    });
});
