import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { addMember } from "../../testing/fixtures";
import { useOwnDevices } from "../../testing/ownDevices";
import { useTestServer } from "../../testing/server";
import { sweep } from "../end/sweep";

const server = await useTestServer();
const { db } = server.database;
const ada = await server.signUp("Ada");
const { organizationId } = ada;
const { connect, command, requeued, expire } = useOwnDevices(server, ada);

describe("a requeued command", () => {
  it("is canceled by the device that may have it, also after a later reconnect", async () => {
    const { commandId, apiKey, device } = await requeued();
    const canceled = await ada.client.agent.cancelCommand.mutate({ organizationId, id: commandId });
    expect(canceled.status).toBe("queued");
    const back = connect(apiKey, { journalId: device.journalId });
    expect((await back.event("cancel")).id).toBe(commandId);
    expect(back.events.filter(({ type }) => type === "command")).toEqual([]);
    const { client, journalId } = back;
    expect(await client.agent.complete.mutate({ id: commandId, journalId, canceled: true })).toEqual({
      status: "canceled",
    });
  });

  it("is lost, not canceled, when its device is revoked", async () => {
    const { id, commandId } = await requeued();
    await ada.client.device.revoke.mutate({ organizationId, id });
    expect(await command(commandId)).toMatchObject({ status: "lost", error: { reason: "device_revoked" } });
  });

  it("is not canceled immediately when its device is no longer shared", async () => {
    const bob = await server.signUp("Bob");
    await addMember(server, organizationId, bob, "member");
    const { id, commandId } = await requeued();
    await sql`update device_commands set requested_by = ${bob.user.id} where id = ${commandId}`.execute(db);
    await ada.client.device.update.mutate({ organizationId, id, shared: false });
    const { rows } = await sql`select status, cancel_requested_at is not null as asked from device_commands
      where id = ${commandId}`.execute(db);
    expect(rows).toEqual([{ status: "queued", asked: true }]);
  });

  it("is lost when another journal connects, and its own may still report how it ended", async () => {
    const { apiKey, device, commandId } = await requeued();
    const waiting = ada.client.agent.getCommand.query({ organizationId, id: commandId, waitMs: 20_000 });
    const other = connect(apiKey);
    expect(await waiting).toMatchObject({ status: "lost", error: { reason: "device_replaced" } });
    expect(other.events.filter(({ type }) => type === "command")).toEqual([]);
    const { client, journalId } = device;
    expect(await client.agent.complete.mutate({ id: commandId, journalId, result: 1 })).toEqual({
      status: "succeeded",
    });
  });

  it("expires with an error that mentions the send, when no device connects", async () => {
    const { commandId } = await requeued();
    await expire(commandId);
    await sweep(server.services);
    expect(await command(commandId)).toMatchObject({
      status: "expired",
      error: { reason: "queue_expired", message: expect.stringContaining("was sent to the device") },
    });
  });
});
