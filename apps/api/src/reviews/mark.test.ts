import { sql } from "kysely";
import { expect, it } from "vitest";
import { deleteOutdated } from "../maintenance/retention";
import { addMember } from "../testing/fixtures";
import { failure, useTestServer } from "../testing/server";
import { GONE_POINT, useReviewedMachine } from "./testing";

const server = await useTestServer();
const { db } = server.database;
const ada = await server.signUp("Ada");
const bob = await server.signUp("Bob");
const eve = await server.signUp("Eve");
const { organizationId } = ada;
await addMember(server, organizationId, bob, "member");
const { machine } = useReviewedMachine(server, ada);
const [POINT, LATER] = ["a".repeat(40), "b".repeat(40)];

/** A machine with a change that both may review. */
async function shared() {
  const made = await machine();
  await ada.client.device.update.mutate({ organizationId, id: made.deviceId, shared: true });
  const mark = (point: string, { client } = ada) =>
    client.workspace.review.mark.mutate({ organizationId, changeId: made.changeId, point });
  const read = async ({ client } = ada) => (await made.list(client)).mark;
  return { ...made, mark, read };
}

it("keeps what each person has seen last", async () => {
  const { mark, read } = await shared();
  expect(await read()).toBeNull();
  expect(await mark(POINT)).toEqual({ point: POINT, markedAt: expect.any(String) });
  expect(await read()).toMatchObject({ point: POINT });
  expect(await read(bob)).toBeNull();
  await mark(LATER, bob);
  expect(await read()).toMatchObject({ point: POINT });
  await mark(LATER);
  expect(await read()).toMatchObject({ point: LATER });
});

it("records nothing that the device no longer has, or that is not a commit", async () => {
  const { mark, read } = await shared();
  await mark(POINT);
  expect(await failure(mark(GONE_POINT))).toMatchObject({
    code: "PRECONDITION_FAILED",
    reason: "point_gone",
    message: `No ${GONE_POINT}. Choose another.`,
  });
  for (const point of ["HEAD", "--output=x", ""])
    expect(await failure(mark(point))).toMatchObject({ code: "BAD_REQUEST" });
  expect(await read()).toMatchObject({ point: POINT });
});

it("is for users who may use the device", async () => {
  const { changeId, deviceId, mark } = await shared();
  const foreign = { organizationId: eve.organizationId, changeId, point: POINT };
  expect(await failure(eve.client.workspace.review.mark.mutate(foreign))).toMatchObject({
    code: "NOT_FOUND",
  });
  await ada.client.device.update.mutate({ organizationId, id: deviceId, shared: false });
  expect(await failure(mark(POINT, bob))).toMatchObject({ reason: "device_owner_required" });
  await sql`update changes set workspace_id = null where id = ${changeId}`.execute(db);
  expect(await failure(mark(POINT))).toMatchObject({ reason: "workspace_not_on_device" });
});

it("is deleted after 90 days, and with its change or its person", async () => {
  const { changeId, mark, read } = await shared();
  const age = (days: number) =>
    sql`update review_marks set marked_at = now() - make_interval(days => ${days}::int)`.execute(db);
  await mark(POINT);
  await age(89);
  await deleteOutdated(db);
  expect(await read()).not.toBeNull();
  await age(91);
  await deleteOutdated(db);
  expect(await read()).toBeNull();
  await mark(POINT);
  await db.deleteFrom("changes").where("id", "=", changeId).execute();
  expect(
    await db.selectFrom("review_marks").select("point").where("change_id", "=", changeId).execute(),
  ).toEqual([]);
});
