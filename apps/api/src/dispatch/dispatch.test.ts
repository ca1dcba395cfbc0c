import { setImmediate } from "node:timers/promises";
import { newId, notify } from "@grove/db";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { begin, loseInstance, type TestDevice, untilStatus } from "../testing/device";
import { addMember } from "../testing/fixtures";
import { useOwnDevices } from "../testing/ownDevices";
import { failure, useTestServer } from "../testing/server";
import { sweep } from "./end/sweep";
import { wakeStreams } from "./stream/wakeStreams";

const server = await useTestServer();
const ada = await server.signUp("Ada");
const { organizationId } = ada;
const { register, connect, online } = useOwnDevices(server, ada);

const complete = (command: { id: string }, { client, journalId }: TestDevice) =>
  client.agent.complete.mutate({ id: command.id, journalId, result: { projects: [] } });

const execute = (deviceId: string, more: object = {}) =>
  ada.client.agent.execute.mutate({ organizationId, deviceId, tool: "list_projects", params: {}, ...more });

const status = async (id: string) => (await ada.client.agent.getCommand.query({ organizationId, id })).status;

describe("agent.execute", () => {
  it("delivers to a connected device and returns its result", async () => {
    const { id } = await online({ run: complete });
    const command = await execute(id);
    expect(command).toMatchObject({
      deviceId: id,
      status: "succeeded",
      result: { projects: [] },
      attempt: 1,
      waitEnded: null,
      requestedBy: ada.user.id,
    });
  });

  it("reports immediately why a device is offline, and when it was last seen", async () => {
    const { id } = await register();
    expect(await failure(execute(id))).toMatchObject({
      code: "PRECONDITION_FAILED",
      reason: "device_offline",
      data: { details: { offlineReason: "never_connected", lastSeenAt: null } },
    });
    const { id: seen, device } = await online();
    device.disconnect();
    await untilStatus(ada.client, organizationId, seen, "offline");
    const answer = await failure(execute(seen));
    expect(answer.data.details.offlineReason).toBe("disconnected");
    expect(Date.parse(answer.data.details.lastSeenAt)).not.toBeNaN();
    expect(
      await server.database.db.selectFrom("device_commands").where("device_id", "=", seen).execute(),
    ).toEqual([]);
  });

  it("takes the command or reports the device offline, even while the device keeps reconnecting", async () => {
    const { id } = await register();
    let calling = true;
    const flap = async () => {
      for (let n = 0; calling; n++) {
        const online = n % 2 === 0;
        await sql`update devices set present_until = case when ${online}::boolean then now() + interval '1 hour' end
          where id = ${id}`.execute(server.database.db);
        // The embedded engine answers without a turn of the event loop, in which the process would read callers'
        // requests.
        await setImmediate();
      }
    };
    const call = async () => {
      const ends: string[] = [];
      for (let n = 0; n < 40; n++)
        ends.push(
          await execute(id, { waitMs: 0 }).then(
            (command) => command.status,
            ({ data }) => data.reason ?? data.code,
          ),
        );
      return ends;
    };
    const flapping = flap();
    const ends = await Promise.all(Array.from({ length: 4 }, call));
    calling = false;
    await flapping;
    expect(ends.flat().filter((end) => end !== "queued" && end !== "device_offline")).toEqual([]);
  });

  it("queues for an offline device when asked to, in order", async () => {
    const { id, apiKey } = await register();
    const first = await execute(id, { ifOffline: "queue", waitMs: 0 });
    const second = await execute(id, { ifOffline: "queue", waitMs: 0 });
    expect([first.status, first.waitEnded]).toEqual(["queued", "not_claimed"]);
    const device = connect(apiKey, { run: complete });
    await device.event("command", (command) => command.id === second.id);
    const sent = device.events.filter((event) => event.type === "command").map((event) => event.id);
    expect(sent).toEqual([first.id, second.id]);
    const done = await ada.client.agent.getCommand.query({ organizationId, id: second.id, waitMs: 20_000 });
    expect(done.status).toBe("succeeded");
  });

  it("reaches the device when its announcement was lost", async () => {
    const { id, device } = await online();
    const { id: commandId } = await execute(id, { waitMs: 0 });
    await device.event("command");
    device.events.length = 0;
    // Queued again without an announcement.
    await sql`update device_commands set status = 'queued', claimed_at = null where id = ${commandId}`.execute(
      server.database.db,
    );
    await wakeStreams(server.services);
    expect((await device.event("command")).id).toBe(commandId);
  });

  it("sends a command that was claimed and not begun, though its announcement was lost", async () => {
    const { id, device } = await online();
    const { id: commandId } = await execute(id, { waitMs: 0 });
    await device.event("command");
    const received = () => device.events.filter(({ type }) => type === "command").length;
    await wakeStreams(server.services);
    await sql`update device_commands set claimed_at = now() - interval '11 seconds' where id = ${commandId}`.execute(
      server.database.db,
    );
    expect(received()).toBe(1);
    await wakeStreams(server.services);
    await expect.poll(received).toBe(2);
  });

  it("refuses a tool that the device does not know, and parameters that do not fit", async () => {
    const { id } = await online();
    expect(
      await failure(
        ada.client.agent.execute.mutate({ organizationId, deviceId: id, tool: "paint", params: {} }),
      ),
    ).toMatchObject({ code: "PRECONDITION_FAILED", reason: "unsupported_tool" });
    const answer = await failure(execute(id, { params: { search: "" } }));
    expect(answer.code).toBe("BAD_REQUEST");
    expect(Object.keys(answer.data.fieldErrors)).toEqual(["params.search"]);
  });

  it("reports which wait ran out, with the last line of progress", async () => {
    const { id, device } = await online();
    const notBegun = await execute(id, { waitMs: 1 });
    expect(notBegun.waitEnded).not.toBeNull();
    await device.event("command");
    const { client, journalId } = device;
    expect(await client.agent.start.mutate({ id: notBegun.id, journalId })).toEqual({ status: "running" });
    await client.agent.progress.mutate({ id: notBegun.id, journalId, message: "cloning", fraction: 0.5 });
    const running = await ada.client.agent.getCommand.query({ organizationId, id: notBegun.id });
    expect(running).toMatchObject({
      waitEnded: "still_running",
      progress: { message: "cloning", fraction: 0.5 },
    });
  });

  it("has not begun a command that waits for a slot on its device", async () => {
    const { id, device } = await online();
    const { id: commandId } = await execute(id, { waitMs: 0 });
    expect(await device.event("command")).toMatchObject({ id: commandId, deviceId: id });
    const { client, journalId } = device;
    const read = () => ada.client.agent.getCommand.query({ organizationId, id: commandId });
    const wait = { id: commandId, journalId, message: "waits", waiting: true as const };
    expect(await client.agent.progress.mutate(wait)).toEqual({ status: "claimed" });
    const { epoch } = await device.event("beat");
    await client.agent.heartbeat.mutate({ epoch, beat: 1, running: [], waiting: [commandId] });
    const waiting = { status: "claimed", startedAt: null, waitEnded: "not_started" };
    expect(await read()).toMatchObject({ ...waiting, progress: { message: "waits" } });
    await client.agent.progress.mutate({ id: commandId, journalId, message: "works" });
    expect(await read()).toMatchObject({ status: "running", waitEnded: "still_running" });
    // A report that was on its way when the work began changes nothing.
    expect(await client.agent.progress.mutate(wait)).toEqual({ status: "running" });
    expect(await read()).toMatchObject({ status: "running", progress: { message: "works" } });
  });

  it("ends a command as expired when its device reports that it had no slot in time", async () => {
    const { id, device } = await online();
    const { id: commandId } = await execute(id, { ifOffline: "queue", queueTtlMs: 300_000, waitMs: 0 });
    expect(await device.event("command")).toMatchObject({ startWithinMs: 300_000 });
    const { client, journalId } = device;
    const error = { reason: "queue_expired", message: "No slot was free in time." };
    expect(await client.agent.complete.mutate({ id: commandId, journalId, error })).toEqual({
      status: "expired",
    });
    expect(await status(commandId)).toBe("expired");
  });

  it("answers a caller whose command the database has lost with its id, and that its outcome is unknown", async () => {
    const { id, device } = await online();
    const waiting = failure(execute(id, { waitMs: 50_000 }));
    const { id: commandId } = await device.event("command");
    await begin({ id: commandId }, device);
    // As after a failover to a standby that lacks the newest rows.
    await sql`update device_commands set finished_at = now() - interval '31 days' where id = ${commandId}`.execute(
      server.database.db,
    );
    await sql`delete from device_commands where id = ${commandId}`.execute(server.database.db);
    await notify(server.database.db, "command_changed", `${commandId} succeeded`);
    expect(await waiting).toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      reason: "outcome_unknown",
      data: { details: { possibleCommandId: commandId } },
    });
  });

  it("makes one command for one idempotency key", async () => {
    const { id, device } = await online({ run: complete });
    const idempotencyKey = newId();
    const answers = await Promise.all(Array.from({ length: 8 }, () => execute(id, { idempotencyKey })));
    expect(new Set(answers.map((command) => command.id)).size).toBe(1);
    expect(answers.every((command) => command.status === "succeeded")).toBe(true);
    expect(device.events.filter((event) => event.type === "command")).toHaveLength(1);
    expect(await failure(execute(id, { idempotencyKey, params: { search: "x" } }))).toMatchObject({
      code: "CONFLICT",
      reason: "idempotency_key_reused",
    });
    await sql`update command_keys set created_at = now() - interval '25 hours'
      where key = ${idempotencyKey}`.execute(server.database.db);
    const fresh = await execute(id, { idempotencyKey, params: { search: "x" } });
    expect(fresh.id).not.toBe(answers[0]?.id);
  });

  it("treats parameters as equal in any order of their keys", async () => {
    const { id } = await online({ run: complete, capabilities: ["create_workspace"] });
    const projectId = newId();
    const made = (params: object) =>
      execute(id, { idempotencyKey: "ordered", tool: "create_workspace", params: { ...params } });
    const first = await made({ projectId, workspaces: [{ name: "a", branchName: "b" }] });
    const second = await made({ workspaces: [{ branchName: "b", name: "a" }], projectId });
    expect(second.id).toBe(first.id);
  });

  it("makes a new command for a key whose command is no longer kept", async () => {
    const { id } = await online({ run: complete });
    const idempotencyKey = newId();
    const first = await execute(id, { idempotencyKey });
    await sql`update device_commands set finished_at = now() - interval '31 days' where id = ${first.id}`.execute(
      server.database.db,
    );
    await sql`delete from device_commands where id = ${first.id}`.execute(server.database.db);
    const again = () => execute(id, { idempotencyKey });
    const [second, third] = await Promise.all([again(), again()]);
    expect(second.id).not.toBe(first.id);
    expect(third.id).toBe(second.id);
  });

  it("returns a key's command, even when the device is offline by then", async () => {
    const { id, device } = await online();
    const idempotencyKey = newId();
    const first = await execute(id, { idempotencyKey, waitMs: 0 });
    await device.event("command");
    await complete(first, device);
    device.disconnect();
    await untilStatus(ada.client, organizationId, id, "offline");
    expect(await execute(id, { idempotencyKey })).toMatchObject({ id: first.id, status: "succeeded" });
    expect(await failure(execute(id, { idempotencyKey: newId() }))).toMatchObject({
      reason: "device_offline",
    });
  });

  it("runs on another member's device only when it is shared", async () => {
    const { id } = await online({ run: complete });
    const bob = await server.signUp("Bob");
    await addMember(server, organizationId, bob, "member");
    const asBob = () =>
      bob.client.agent.execute.mutate({ organizationId, deviceId: id, tool: "list_projects", params: {} });
    expect(await failure(asBob())).toMatchObject({ code: "FORBIDDEN", reason: "device_owner_required" });
    await server.database.db.updateTable("devices").set({ shared: true }).where("id", "=", id).execute();
    expect((await asBob()).status).toBe("succeeded");
  });

  it("cancels when the caller disconnects and had asked for that", async () => {
    const { id, device } = await online();
    const hangUp = new AbortController();
    const call = ada.client.agent.execute
      .mutate(
        { organizationId, deviceId: id, tool: "list_projects", params: {}, cancelOnDisconnect: true },
        { signal: hangUp.signal },
      )
      .catch((error: Error) => error);
    const command = await device.event("command");
    hangUp.abort();
    expect(await call).toBeInstanceOf(Error);
    expect((await device.event("cancel")).id).toBe(command.id);
    const { client, journalId } = device;
    expect(await client.agent.complete.mutate({ id: command.id, journalId, canceled: true })).toEqual({
      status: "canceled",
    });
  });
});

describe("agent.cancelCommand", () => {
  it("cancels a queued command immediately", async () => {
    const { id } = await register();
    const queued = await execute(id, { ifOffline: "queue", waitMs: 0 });
    const canceled = await ada.client.agent.cancelCommand.mutate({ organizationId, id: queued.id });
    expect(canceled).toMatchObject({ status: "canceled", waitEnded: null });
  });
});

describe("the fence", () => {
  it("sends an unsettled command again to the same journal, and never to another", async () => {
    const journalId = newId();
    const { id, apiKey, device } = await online({ journalId });
    const command = await execute(id, { waitMs: 0 });
    await device.event("command");
    device.disconnect();
    await untilStatus(ada.client, organizationId, id, "offline");

    const same = connect(apiKey, { journalId });
    expect((await same.event("command")).id).toBe(command.id);

    const copy = connect(apiKey);
    await copy.event("beat");
    const lost = await ada.client.agent.getCommand.query({ organizationId, id: command.id });
    expect(lost).toMatchObject({ status: "lost", error: { reason: "device_replaced" } });
    expect(copy.events.filter((event) => event.type === "command")).toEqual([]);
    expect(
      await failure(
        copy.client.agent.complete.mutate({ id: command.id, journalId: copy.journalId, result: 1 }),
      ),
    ).toMatchObject({ reason: "journal_mismatch" });
    // The journal that has the entry may still report how it ended.
    expect(await same.client.agent.complete.mutate({ id: command.id, journalId, result: 1 })).toEqual({
      status: "succeeded",
    });
  });

  it("lets the newest stream win, and an older one's end or heartbeat change nothing", async () => {
    const { id, apiKey, device } = await online();
    const older = await device.event("beat");
    const newer = connect(apiKey, { journalId: device.journalId });
    await device.ended;
    await newer.event("beat", (heartbeat) => heartbeat.epoch > older.epoch);
    await device.client.agent.heartbeat.mutate({ epoch: older.epoch, beat: 0, running: [] });
    await untilStatus(ada.client, organizationId, id, "online");
    expect((await execute(id, { waitMs: 0 })).status).not.toBe("failed");
    await newer.event("command");
    expect(device.events.filter((event) => event.type === "command")).toEqual([]);
  });

  it("keeps a device offline when a heartbeat of its ended stream arrives late", async () => {
    const { id, device } = await online();
    const { epoch } = await device.event("beat");
    device.disconnect();
    await untilStatus(ada.client, organizationId, id, "offline");
    await device.client.agent.heartbeat.mutate({ epoch, beat: 0, running: [] });
    expect(await ada.client.device.get.query({ organizationId, id })).toMatchObject({
      status: "offline",
      offlineReason: "disconnected",
    });
  });

  it("refuses an invalid epoch, which would spoil the write of all devices' presence", async () => {
    const { device: broken } = await online();
    const call = broken.client.agent.heartbeat.mutate({ epoch: 2 ** 31, beat: 1, running: [] });
    expect(await failure(call)).toMatchObject({ code: "BAD_REQUEST" });
  });

  it("settles a command once: a repeated report is harmless, a contradicting one is kept apart", async () => {
    const { id, device } = await online();
    const command = await execute(id, { waitMs: 0 });
    const { client, journalId } = device;
    const report = { id: command.id, journalId };
    await device.event("command");
    expect(await client.agent.complete.mutate({ ...report, result: 1 })).toEqual({ status: "succeeded" });
    expect(await client.agent.complete.mutate({ ...report, result: 1 })).toEqual({ status: "succeeded" });
    expect(await client.agent.start.mutate(report)).toEqual({ status: "succeeded" });
    expect(await client.agent.complete.mutate({ ...report, error: { reason: "x", message: "y" } })).toEqual({
      status: "succeeded",
    });
    const row = await ada.client.agent.getCommand.query({ organizationId, id: command.id });
    expect(row).toMatchObject({ status: "succeeded", result: 1, error: null });
  });

  it("ends the stream of a device that does not begin what it was sent", async () => {
    const { id, device } = await online();
    await execute(id, { waitMs: 0 });
    await device.event("command");
    await device.ended;
    const [listed] = await ada.client.device.list.query({ organizationId, status: "offline" });
    expect(listed).toMatchObject({ id, offlineReason: "unresponsive" });
  });
});

describe("the sweeper", () => {
  const { db } = server.database;

  it("expires a command that waited too long, and notifies its waiter", async () => {
    const { id } = await register();
    const queued = await execute(id, { ifOffline: "queue", waitMs: 0 });
    await sql`update device_commands set queue_expires_at = now() - interval '1 second' where id = ${queued.id}`.execute(
      db,
    );
    const waiting = ada.client.agent.getCommand.query({ organizationId, id: queued.id, waitMs: 20_000 });
    await sweep(server.services);
    expect(await waiting).toMatchObject({ status: "expired", error: { reason: "queue_expired" } });
  });

  it("times out a command that runs too long, and keeps the device's late report", async () => {
    const { id, device } = await online();
    const command = await execute(id, { waitMs: 0, timeoutMs: 1_000 });
    await device.event("command");
    const report = { id: command.id, journalId: device.journalId };
    await device.client.agent.start.mutate(report);
    await sql`update device_commands set started_at = now() - interval '1 minute' where id = ${command.id}`.execute(
      db,
    );
    await sweep(server.services);
    expect(await status(command.id)).toBe("timed_out");
    expect(await device.client.agent.complete.mutate({ ...report, result: "late" })).toEqual({
      status: "timed_out",
    });
    const row = await ada.client.agent.getCommand.query({ organizationId, id: command.id });
    expect(row).toMatchObject({ status: "timed_out", lateResult: { result: "late" } });
  });

  it("lets an undelivered command wait as long as its caller allowed, without using up its time-out", async () => {
    const { id, apiKey, device } = await online();
    const command = await execute(id, { ifOffline: "queue", waitMs: 0, timeoutMs: 5_000 });
    expect(command.status).toBe("claimed");
    device.disconnect();
    await untilStatus(ada.client, organizationId, id, "offline");
    await sql`update device_commands set claimed_at = now() - interval '1 hour', created_at = now() - interval '1 hour'
      where id = ${command.id}`.execute(db);
    await sweep(server.services);
    expect(await status(command.id)).toBe("claimed");

    const back = connect(apiKey, { journalId: device.journalId });
    expect(await back.event("command")).toMatchObject({ id: command.id, remainingMs: 5_000 });

    back.disconnect();
    await untilStatus(ada.client, organizationId, id, "offline");
    await sql`update device_commands set queue_expires_at = now() - interval '1 second' where id = ${command.id}`.execute(
      db,
    );
    await sweep(server.services);
    expect(await status(command.id)).toBe("lost");
  });

  it("lets a command wait for a slot while its machine sleeps, however short its time-out is", async () => {
    const { id, apiKey, device } = await online();
    const { id: commandId } = await execute(id, { ifOffline: "queue", waitMs: 0, timeoutMs: 1_000 });
    await device.event("command");
    const { client, journalId } = device;
    await client.agent.progress.mutate({ id: commandId, journalId, message: "waits", waiting: true });
    device.disconnect();
    await untilStatus(ada.client, organizationId, id, "offline");
    await sql`update device_commands set claimed_at = now() - interval '1 hour' where id = ${commandId}`.execute(
      db,
    );
    await sweep(server.services);
    expect(await status(commandId)).toBe("claimed");
    const back = connect(apiKey, { journalId });
    expect(await back.event("command")).toMatchObject({ id: commandId, remainingMs: 1_000 });
  });

  it("soon gives up a command that was not to wait for an offline device", async () => {
    const { id, device } = await online();
    const command = await execute(id, { waitMs: 0, timeoutMs: 5_000 });
    device.disconnect();
    await untilStatus(ada.client, organizationId, id, "offline");
    await sql`update device_commands set claimed_at = claimed_at - interval '70 seconds',
      queue_expires_at = queue_expires_at - interval '70 seconds' where id = ${command.id}`.execute(db);
    await sweep(server.services);
    expect(await status(command.id)).toBe("lost");
  });

  it("queues a command for a device whose instance's lease has run out, though its stream is still open", async () => {
    const { id, device } = await online();
    await loseInstance(db, id);
    const command = await execute(id, { ifOffline: "queue", waitMs: 0 });
    expect(command).toMatchObject({ status: "queued", attempt: 0 });
    // If the device reads the stream after all, it gets the command from the queue.
    expect((await device.event("command")).id).toBe(command.id);
  });

  it("settles commands even when old ones cannot be deleted", async () => {
    const { id } = await register();
    const queued = await execute(id, { ifOffline: "queue", waitMs: 0 });
    const old = await execute(id, { ifOffline: "queue", waitMs: 0 });
    await sql`update device_commands set queue_expires_at = now() - interval '1 second' where id = ${queued.id}`.execute(
      db,
    );
    await sql`update device_commands set status = 'canceled', finished_at = now() - interval '31 days'
      where id = ${old.id}`.execute(db);
    await sql`create function keep() returns trigger language plpgsql as $$ begin raise 'kept'; end $$`.execute(
      db,
    );
    await sql`create trigger keep before delete on device_commands for each row execute function keep()`.execute(
      db,
    );
    await sweep(server.services);
    expect(await status(queued.id)).toBe("expired");
    await sql`drop function keep cascade`.execute(db);
  });

  it("requeues a command that a present device did not begin, and fails it the third time", async () => {
    const { id, device } = await online();
    const command = await execute(id, { waitMs: 0 });
    const age = () =>
      // The command's time in the queue has run out as well, after the claim.
      sql`update device_commands
        set claimed_at = now() - interval '2 minutes', queue_expires_at = now() - interval '1 minute'
        where id = ${command.id}`.execute(db);
    for (const attempt of [1, 2, 3]) {
      await device.event("command");
      expect(await status(command.id)).toBe("claimed");
      device.events.length = 0;
      await age();
      await sweep(server.services);
      if (attempt === 3) continue;
      await device.event("command");
    }
    expect(await ada.client.agent.getCommand.query({ organizationId, id: command.id })).toMatchObject({
      status: "failed",
      attempt: 3,
      error: { reason: "not_started" },
    });
  });
});
