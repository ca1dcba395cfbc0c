import { newId } from "@grove/db";
import type { Anchor, OrganizationEvent } from "@grove/schemas";
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { deleteOutdated } from "../../maintenance/retention";
import { start } from "../../server";
import { addMember } from "../../testing/fixtures";
import { failure, stockClient, useTestServer } from "../../testing/server";
import { anchor, useReviewedMachine } from "../testing";

/** How often comments are sent, each by many callers at the same time. */
const SENDS = Number(process.env.ROUND_SENDS ?? 48);
const SENDS_AT_A_TIME = 16;

const server = await useTestServer();
const { db } = server.database;
const ada = await server.signUp("Ada");
const bob = await server.signUp("Bob");
const { organizationId } = ada;
await addMember(server, organizationId, bob, "member");
const { review } = ada.client.workspace;

const { machine } = useReviewedMachine(server, ada);

/** The text of a source line, which must never be stored. */
const SOURCE_LINE = "const seeded = marker_7f3a91();";

it("keeps drafts, edits them by their id, and discards them", async () => {
  const { save, list } = await machine();
  const { id } = await save("First words");
  await save("Other words", { id });
  expect(await list()).toMatchObject({
    comments: [{ id, body: "Other words", state: "draft", anchor, authorId: ada.user.id, roundId: null }],
    rounds: [],
  });
  expect(await review.discard.mutate({ organizationId, id })).toEqual({ success: true });
  expect((await list()).comments).toEqual([]);
  expect(await failure(review.discard.mutate({ organizationId, id }))).toMatchObject({ code: "NOT_FOUND" });
});

it("sends all drafts as one round, and forgets its content in the command", async () => {
  const { save, list, send, rounds, sessionId, changeId } = await machine();
  const comments = [await save("One"), await save("Two")];
  const round = await send();
  expect(round).toMatchObject({
    number: 1,
    status: "delivered",
    reason: null,
    byUserId: ada.user.id,
    sessionId,
  });
  expect(rounds).toEqual([
    {
      id: round.id,
      number: 1,
      author: "Ada",
      change: expect.stringContaining("login-"),
      comments: comments.map(({ id, body }) => ({ id, body, anchor })),
    },
  ]);
  expect(await list()).toMatchObject({
    comments: [
      { state: "sent", roundId: round.id },
      { state: "sent", roundId: round.id },
    ],
    rounds: [{ id: round.id, status: "delivered" }],
  });
  const { rows } = await sql<{ params: object }>`select params from device_commands
    where id = (select command_id from review_rounds where change_id = ${changeId})`.execute(db);
  expect(rows).toEqual([{ params: { sessionId } }]);
});

it("keeps and sends comments on a file and on the whole change", async () => {
  const { save, send, list, rounds } = await machine();
  const { from: _from, to: _to, ...file } = anchor;
  const change = { point: anchor.point };
  const { id } = await save("Too long", { on: file });
  const onChange = await save("Add a test", { on: change });
  await save("Split it", { id, on: file });
  const comments = [
    { id, anchor: file, body: "Split it" },
    { id: onChange.id, anchor: change, body: "Add a test" },
  ];
  expect((await list()).comments).toMatchObject(comments);
  expect(await send()).toMatchObject({ status: "delivered" });
  expect(rounds).toMatchObject([{ comments }]);
});

it.each([
  ["from without to", { from: 3 }, /^must have point, path/],
  ["lines without a file", { from: 3, to: 4, path: undefined }, /^must have point, path/],
  ["a file without its content", { blob: undefined }, /^must have point, path/],
  ["lines in the wrong order", { from: 4, to: 3 }, /^from must not be after to$/],
])("refuses an anchor with %s", async (_what, wrong, message) => {
  const { from: _from, to: _to, ...file } = anchor;
  const input = { organizationId, changeId: newId(), id: newId(), body: "Words" };
  const refused = review.save.mutate({ ...input, anchor: { ...file, ...wrong } as Anchor });
  expect(await failure(refused)).toMatchObject({
    code: "BAD_REQUEST",
    data: { fieldErrors: { anchor: [expect.stringMatching(message)] } },
  });
});

it("makes one round of many concurrent sends to two processes", {
  timeout: 60_000 + SENDS * 100,
}, async () => {
  const second = await start({ ...server.services, database: server.database, host: "127.0.0.1", port: 0 });
  onTestFinished(() => second.close());
  const clients = [ada.client, stockClient(second.url, ada.token)];
  for (let sent = 0; sent < SENDS; ) {
    // A change has at most 500 comments.
    const { save, send, rounds, list } = await machine();
    const ids: string[] = [];
    for (; sent < SENDS && ids.length < 400; sent += SENDS_AT_A_TIME) {
      const { id } = await save("Once");
      ids.push(id);
      const sends = Array.from({ length: SENDS_AT_A_TIME }, (_, n) => send({ ids: [id] }, clients[n % 2]));
      const outcomes = await Promise.allSettled(sends);
      const refused = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
      expect(refused).toHaveLength(SENDS_AT_A_TIME - 1);
      for (const { data } of refused)
        expect(data).toMatchObject({
          reason: "already_sent",
          details: { name: "Ada", at: expect.any(String) },
        });
    }
    expect(rounds.map(({ comments }) => comments.map(({ id }) => id))).toEqual(ids.map((id) => [id]));
    expect((await list()).rounds).toHaveLength(ids.length);
    expect(await failure(send())).toMatchObject({ code: "PRECONDITION_FAILED", reason: "nothing_to_send" });
  }
});

it.each([
  ["agent_working", "failed"],
  ["agent_needs_input", "failed"],
  ["too_long", "failed"],
  ["interrupted", "unknown"],
] as const)("after %s the round is %s, and is sent again only on request", async (reason, status) => {
  let isRefused = true;
  const { save, send, rounds } = await machine(() =>
    isRefused ? { error: { reason, message: "Refused." } } : { result: { bytes: 1 } },
  );
  const { id } = await save("Words");
  expect(await send()).toMatchObject({ status, reason });
  isRefused = false;
  expect(await failure(send({ ids: [id] }))).toMatchObject({ reason: "already_sent" });
  expect(await send({ ids: [id], again: true })).toMatchObject({ number: 2, status: "delivered" });
  expect(await failure(send({ ids: [id], again: true }))).toMatchObject({ reason: "already_sent" });
  expect(rounds).toHaveLength(2);
});

it("resolves and reopens what was sent, and a sent comment is neither edited nor discarded", async () => {
  const { save, send } = await machine();
  const { id } = await save("Words");
  const setResolved = (resolved: boolean) => review.settle.mutate({ organizationId, id, resolved });
  expect(await failure(setResolved(true))).toMatchObject({ code: "PRECONDITION_FAILED" });
  await send();
  expect(await setResolved(true)).toMatchObject({ state: "resolved" });
  expect(await setResolved(false)).toMatchObject({ state: "sent" });
  expect(await failure(save("Others", { id }))).toMatchObject({ reason: "already_sent" });
  expect(await failure(review.discard.mutate({ organizationId, id }))).toMatchObject({
    reason: "already_sent",
  });
});

it("reports edited, sent and resolved comments to watchers of the organization, without their text", async () => {
  const { save, send, changeId } = await machine();
  const events: OrganizationEvent[] = [];
  const watching = bob.client.organization.watch.subscribe(
    { organizationId },
    { onData: ({ data }) => void events.push(data) },
  );
  onTestFinished(() => watching.unsubscribe());
  await expect.poll(() => events.some(({ type }) => type === "ready")).toBe(true);
  const ofChange = () => events.filter((event) => event.type === "review" && event.changeId === changeId);
  const { id } = await save("Confidential words");
  await expect.poll(ofChange).toHaveLength(1);
  await save("Other confidential words", { id });
  await expect.poll(ofChange).toHaveLength(2);
  await send();
  await expect.poll(() => ofChange().length).toBeGreaterThan(2);
  const before = ofChange().length;
  await review.settle.mutate({ organizationId, id, resolved: true });
  await expect.poll(() => ofChange().length).toBeGreaterThan(before);
  expect(JSON.stringify(events)).not.toContain("onfidential");
});

it("shows drafts to their author only, and nothing to users who may not use the device", async () => {
  const { save, list, deviceId } = await machine();
  const { id } = await save("Ada's");
  expect(await failure(list(bob.client))).toMatchObject({ reason: "device_owner_required" });
  await ada.client.device.update.mutate({ organizationId, id: deviceId, shared: true });
  expect((await list(bob.client)).comments).toEqual([]);
  expect(await failure(save("Bob's", { id, by: bob.client }))).toMatchObject({ reason: "id_taken" });
  expect(await failure(bob.client.workspace.review.discard.mutate({ organizationId, id }))).toMatchObject({
    code: "NOT_FOUND",
  });
});

it("has at most 500 comments of a change", async () => {
  const { save, changeId } = await machine();
  await sql`insert into review_comments (id, organization_id, change_id, body, anchor)
    select gen_random_uuid(), ${organizationId}, ${changeId}, 'x', '{}' from generate_series(1, 500)`.execute(
    db,
  );
  expect(await failure(save("Words"))).toMatchObject({ reason: "quota_exceeded" });
});

it("refuses a session of another workspace, and an ended one", async () => {
  const { save, changeId, sessionId, send } = await machine();
  const other = await machine();
  await save("Words");
  const elsewhere = { organizationId, changeId, sessionId: other.sessionId };
  expect(await failure(review.send.mutate(elsewhere))).toMatchObject({ code: "BAD_REQUEST" });
  await db
    .updateTable("agent_sessions")
    .set({ status: "exited", ended_at: sql<string>`now()` })
    .where("id", "=", sessionId)
    .execute();
  expect(await failure(send())).toMatchObject({ reason: "session_ended" });
});

it("refuses lines of source in an anchor, and stores none", async () => {
  const { save, send, changeId } = await machine();
  const withLines = { ...anchor, lines: [SOURCE_LINE] };
  const input = { organizationId, changeId, id: newId(), anchor: withLines, body: "Words" };
  expect(await failure(review.save.mutate(input))).toMatchObject({ code: "BAD_REQUEST" });
  await save("Words");
  await send();
  const { rows } = await sql`select from review_comments, review_rounds, device_commands
    where position(${SOURCE_LINE} in concat(anchor, body, review_rounds.reason, params, result)) > 0`.execute(
    db,
  );
  expect(rows).toEqual([]);
});

it("deletes drafts that were not touched for 30 days", async () => {
  const { save, list, send } = await machine();
  await save("Sent");
  await send();
  await save("Draft");
  const age = (days: number) =>
    sql`update review_comments set updated_at = now() - make_interval(days => ${days}::int)`.execute(db);
  await age(29);
  await deleteOutdated(db);
  expect((await list()).comments).toHaveLength(2);
  await age(31);
  await deleteOutdated(db);
  expect((await list()).comments).toMatchObject([{ body: "Sent" }]);
});
