import { sql } from "kysely";
import { expect, it } from "vitest";
import { watchLocks } from "../testing/locks";
import { useTestServer } from "../testing/server";
import { gateRun, useGateMachines } from "./testing";

const server = await useTestServer();
const ada = await server.signUp("Ada");
const { machine } = useGateMachines(server, ada);
const { db } = server.database;

it("has its gate's end, although another transaction changed it first", async () => {
  const { of, commands, finish, read, end } = await machine();
  await finish();
  await expect.poll(() => commands).toHaveLength(1);
  let ending: Promise<unknown> = Promise.resolve();
  await db.transaction().execute(async (trx) => {
    await sql`update changes set summary = 'Other.' where id = ${of.changeId}`.execute(trx);
    ending = end(gateRun("failed"));
    await watchLocks(db).untilLocked("update device_commands as command");
  });
  await ending;
  expect(await read()).toMatchObject({ gate: { state: "failed", head: "a".repeat(40) }, summary: "Other." });
});
