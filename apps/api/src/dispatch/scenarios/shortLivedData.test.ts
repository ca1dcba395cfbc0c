import { deviceTools } from "@grove/schemas";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { deleteOutdated } from "../../maintenance/retention";
import { untilStatus } from "../../testing/device";
import { useOwnDevices } from "../../testing/ownDevices";
import { useTestServer } from "../../testing/server";
import { sweep } from "../end/sweep";

const server = await useTestServer();
const { db } = server.database;
const ada = await server.signUp("Ada");
const { register, online, execute, command, expire, requeued } = useOwnDevices(server, ada);
const { organizationId } = ada;

const sessionId = crypto.randomUUID();
await db
  .insertInto("agent_sessions")
  .values({
    organization_id: organizationId,
    id: sessionId,
    device_id: (await register()).id,
    agent: "test",
    started_by: ada.user.id,
  })
  .execute();
const typing = { tool: "send_agent_input", params: { sessionId, text: "a password\r" } } as const;
const looking = {
  tool: "get_workspace_diff",
  params: { workspaceId: crypto.randomUUID(), paths: ["a"] },
} as const;
const capabilities = Object.keys(deviceTools);

/** The row itself, since answers omit expired data. */
async function rowOf(id: string) {
  const row = await db.selectFrom("device_commands").selectAll().where("id", "=", id).executeTakeFirst();
  return row ?? expect.fail("there is no such command");
}

/** As if a command had ended this long ago. */
const endedAgo = (id: string, time: string) =>
  sql`update device_commands set finished_at = now() - ${sql.lit(time)}::interval where id = ${id}`.execute(
    db,
  );

describe("typed text", () => {
  it("is stored until the command has ended in any way, and is then deleted from every row", async () => {
    const { id, device } = await online({ capabilities });
    const done = await execute(id, typing);
    expect((await device.event("command")).params).toEqual(typing.params);
    expect((await rowOf(done.id)).params).toEqual(typing.params);
    const waiting = ada.client.agent.getCommand.query({ organizationId, id: done.id, waitMs: 30_000 });
    await device.client.agent.complete.mutate({ id: done.id, journalId: device.journalId, result: {} });
    expect(await waiting).toMatchObject({ status: "succeeded", params: { sessionId } });
    expect((await rowOf(done.id)).params).toEqual({ sessionId });

    const overtime = await execute(id, typing);
    await device.client.agent.start.mutate({ id: overtime.id, journalId: device.journalId });
    await sql`update device_commands set started_at = now() - interval '1 hour' where id = ${overtime.id}`.execute(
      db,
    );
    await sweep(server.services);
    expect(await rowOf(overtime.id)).toMatchObject({ status: "timed_out", params: { sessionId } });
  });

  it("is deleted when a command is canceled or expires before a device has it", async () => {
    const { id, device } = await online({ capabilities });
    device.disconnect();
    await untilStatus(ada.client, organizationId, id, "offline");
    const queue = { ...typing, ifOffline: "queue" } as const;
    const [canceled, late] = [await execute(id, queue), await execute(id, queue)];
    await ada.client.agent.cancelCommand.mutate({ organizationId, id: canceled.id });
    await expire(late.id);
    await sweep(server.services);
    expect(await rowOf(canceled.id)).toMatchObject({ status: "canceled", params: { sessionId } });
    expect(await rowOf(late.id)).toMatchObject({ status: "expired", params: { sessionId } });
  });

  it("is kept for a device that is sent the command once more", async () => {
    const { commandId } = await requeued();
    const params = { ...typing.params };
    await sql`update device_commands set tool = 'send_agent_input', params = ${JSON.stringify(params)}::jsonb
      where id = ${commandId}`.execute(db);
    await ada.client.agent.cancelCommand.mutate({ organizationId, id: commandId });
    expect(await rowOf(commandId)).toMatchObject({ status: "queued", params });
  });

  it("does not prevent a repeat with the same idempotency key", async () => {
    const { id, device } = await online({ capabilities });
    const once = { ...typing, idempotencyKey: "once" };
    const first = await execute(id, once);
    await device.event("command");
    await device.client.agent.complete.mutate({ id: first.id, journalId: device.journalId, result: {} });
    expect(await execute(id, once)).toMatchObject({
      id: first.id,
      status: "succeeded",
      params: { sessionId },
    });
  });

  it("cannot be guessed from the hash with which a repeat is recognized", async () => {
    const { id } = await online({ capabilities });
    const [one, other] = [
      await execute(id, { ...typing, idempotencyKey: "one" }),
      await execute(id, {
        ...typing,
        params: { ...typing.params, text: "another password\r" },
        idempotencyKey: "other",
      }),
    ];
    const { idempotency_hash: kept } = await rowOf(one.id);
    expect(kept).not.toBeNull();
    expect((await rowOf(other.id)).idempotency_hash).toBe(kept);
  });
});

describe("the result of a diff", () => {
  it("is kept for five minutes, and then neither returned nor stored, while the command stays", async () => {
    const { id, device } = await online({ capabilities });
    const asked = await execute(id, { ...looking, idempotencyKey: "look" });
    await device.event("command");
    const { journalId } = device;
    await device.client.agent.complete.mutate({ id: asked.id, journalId, result: { files: ["secret"] } });
    await endedAgo(asked.id, "4 minutes");
    await deleteOutdated(db);
    expect((await command(asked.id)).result).toEqual({ files: ["secret"] });
    await endedAgo(asked.id, "301 seconds");
    expect(await command(asked.id)).toMatchObject({ status: "succeeded", result: null });
    await deleteOutdated(db);
    expect(await rowOf(asked.id)).toMatchObject({
      status: "succeeded",
      result: null,
      params: looking.params,
    });
    // A repeat is the same command, with the status succeeded.
    expect(await execute(id, { ...looking, idempotencyKey: "look" })).toMatchObject({
      id: asked.id,
      status: "succeeded",
      result: null,
    });
  });

  it.each(["list_branches", "list_files", "read_file", "search_files"])(
    "is removed in the same way for %s",
    async (tool) => {
      const { id, device } = await online({ capabilities });
      const { id: commandId } = await execute(id, looking);
      await device.event("command");
      const { journalId } = device;
      await device.client.agent.complete.mutate({ id: commandId, journalId, result: { files: ["secret"] } });
      await sql`update device_commands set tool = ${tool} where id = ${commandId}`.execute(db);
      await endedAgo(commandId, "301 seconds");
      await deleteOutdated(db);
      expect((await rowOf(commandId)).result).toBeNull();
    },
  );

  it("is not kept when it arrives after the command was given up", async () => {
    const { id, device } = await online({ capabilities });
    const { id: commandId } = await execute(id, looking);
    await device.event("command");
    const { journalId, client } = device;
    await client.agent.start.mutate({ id: commandId, journalId });
    await sql`update device_commands set started_at = now() - interval '1 hour' where id = ${commandId}`.execute(
      db,
    );
    await sweep(server.services);
    await client.agent.complete.mutate({ id: commandId, journalId, result: { files: ["secret"] } });
    expect((await command(commandId)).lateResult).toEqual({ result: { files: ["secret"] } });
    await endedAgo(commandId, "301 seconds");
    expect((await command(commandId)).lateResult).toBeNull();
    await deleteOutdated(db);
    expect((await rowOf(commandId)).late_result).toBeNull();
  });

  it("leaves the results of other tools alone", async () => {
    const { id, device } = await online({ capabilities });
    const { id: commandId } = await execute(id);
    await device.event("command");
    await device.client.agent.complete.mutate({
      id: commandId,
      journalId: device.journalId,
      result: { projects: [] },
    });
    await endedAgo(commandId, "29 days");
    await deleteOutdated(db);
    expect((await command(commandId)).result).toEqual({ projects: [] });
  });
});
