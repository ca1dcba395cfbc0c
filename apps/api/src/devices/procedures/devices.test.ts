import { describe, expect, it } from "vitest";
import { connectDevice, untilStatus } from "../../testing/device";
import { addMember } from "../../testing/fixtures";
import { queued } from "../../testing/ownDevices";
import { failure, useTestServer } from "../../testing/server";

const server = await useTestServer();
const ada = await server.signUp("Ada");
const { organizationId } = ada;
const register = (name: string) =>
  ada.client.device.register.mutate({ organizationId, name, platform: "linux" });

describe("a device", () => {
  // Contract: device.list, device.register
  it("is registered with a key of its own that is shown once", async () => {
    const { apiKey, ...device } = await ada.client.device.register.mutate({
      organizationId,
      name: "Ada's Laptop ✓",
      platform: "windows",
    });
    expect(device).toMatchObject({
      ownerId: ada.user.id,
      name: "Ada's Laptop ✓",
      platform: "windows",
      status: "offline",
      offlineReason: "never_connected",
      lastSeenAt: null,
      agentVersion: null,
      capabilities: [],
      shared: false,
    });
    const self = await server.client(apiKey).device.self.query();
    expect(self).toMatchObject({ device, organization: { id: organizationId } });
    expect(JSON.stringify(await ada.client.device.list.query({ organizationId }))).not.toContain(apiKey);
  });

  it("is online once a heartbeat is answered, not once its stream is open", async () => {
    const { id, apiKey } = await ada.client.device.register.mutate({
      organizationId,
      name: "mute",
      platform: "linux",
    });
    const mute = connectDevice(server.url, apiKey, {
      answersHeartbeats: false,
      capabilities: ["list_projects"],
    });
    const heartbeat = await mute.event("beat");
    const find = async () =>
      (await ada.client.device.list.query({ organizationId })).find((device) => device.id === id);
    expect(await find()).toMatchObject({
      status: "offline",
      agentVersion: "1.0.0-test",
      capabilities: ["list_projects"],
    });
    await mute.client.agent.heartbeat.mutate({ epoch: heartbeat.epoch, beat: heartbeat.n, running: [] });
    expect(await find()).toMatchObject({ status: "online", offlineReason: null });
    mute.disconnect();
    await untilStatus(ada.client, organizationId, id, "offline");
    expect(await find()).toMatchObject({ offlineReason: "disconnected" });
  });
});

describe("device.probe", () => {
  it("counts to three, and leaves the stream of commands alone", async () => {
    const { id, apiKey } = await register("probed");
    const device = connectDevice(server.url, apiKey);
    await untilStatus(ada.client, organizationId, id, "online");
    const events = await new Promise<unknown[]>((resolve, reject) => {
      const seen: unknown[] = [];
      server.client(apiKey).device.probe.subscribe(undefined, {
        onData: (event) => seen.push(event),
        onComplete: () => resolve(seen),
        onError: reject,
      });
    });
    expect(events).toEqual([1, 2, 3].map((n) => ({ type: "probe", n })));
    await untilStatus(ada.client, organizationId, id, "online");
    device.disconnect();
  });
});

describe("device.update", () => {
  it("renames and shares a device, which others may use from then on", async () => {
    const bob = await server.signUp("Bob");
    await addMember(server, organizationId, bob, "admin");
    const { id } = await register("mine");
    const use = () => bob.client.agent.execute.mutate({ organizationId, deviceId: id, ...queued });
    expect(await failure(use())).toMatchObject({ reason: "device_owner_required" });
    expect(
      await failure(bob.client.device.update.mutate({ organizationId, id, shared: true })),
    ).toMatchObject({
      reason: "device_owner_required",
    });
    const updated = await ada.client.device.update.mutate({
      organizationId,
      id,
      name: "Ours ✓",
      shared: true,
    });
    expect(updated).toMatchObject({ name: "Ours ✓", shared: true });
    expect(await bob.client.device.get.query({ organizationId, id })).toEqual(updated);
    expect(await use()).toMatchObject({ status: "queued" });
  });

  it("stores how editors reach a device, and refuses anything that ssh could read as an option", async () => {
    const { id } = await register("reached");
    const set = (sshHost: string | null) => ada.client.device.update.mutate({ organizationId, id, sshHost });
    const good = ["laptop", "ada@laptop.example.com", "10.0.0.7", "build_1"];
    for (const sshHost of good) expect(await set(` ${sshHost} `)).toMatchObject({ name: "reached", sshHost });
    const bad = [
      "",
      "-oProxyCommand=x",
      "ada@-x",
      "-l@x",
      "a b",
      "a@b@c",
      "a/b",
      "a:22",
      "a%20b",
      "ä",
      "a\nb",
    ];
    for (const sshHost of [...bad, "x".repeat(256)])
      expect(await failure(set(sshHost))).toMatchObject({ code: "BAD_REQUEST" });
    expect(await ada.client.device.get.query({ organizationId, id })).toMatchObject({ sshHost: "build_1" });
    expect(await set(null)).toMatchObject({ sshHost: null });
  });

  it("cancels what others have queued for a device that is no longer shared", async () => {
    const bob = await server.signUp("Bob");
    await addMember(server, organizationId, bob, "member");
    const { id } = await register("lent");
    const share = (shared: boolean) => ada.client.device.update.mutate({ organizationId, id, shared });
    await share(true);
    const [adas, bobs] = await Promise.all(
      [ada, bob].map(({ client }) =>
        client.agent.execute.mutate({ organizationId, deviceId: id, ...queued }),
      ),
    );
    await share(false);
    const statuses = await Promise.all(
      [adas, bobs].map(async (queued) => {
        const command = { organizationId, id: queued?.id ?? "" };
        const { status, error } = await ada.client.agent.getCommand.query(command);
        return [status, error?.reason];
      }),
    );
    expect(statuses).toEqual([
      ["queued", undefined],
      ["canceled", "device_not_shared"],
    ]);
  });
});

describe("device.revoke", () => {
  it("ends the stream, the sessions and the open commands, each with a reason, and is final", async () => {
    const { id, apiKey } = await register("gone");
    const device = connectDevice(server.url, apiKey);
    await untilStatus(ada.client, organizationId, id, "online");
    const command = { organizationId, deviceId: id, tool: "list_projects", params: {}, waitMs: 0 };
    const claimed = await ada.client.agent.execute.mutate(command);
    await device.event("command");
    const waiting = ada.client.agent.getCommand.query({ organizationId, id: claimed.id, waitMs: 55_000 });
    expect(await ada.client.device.revoke.mutate({ organizationId, id })).toEqual({ success: true });
    expect(await ada.client.device.revoke.mutate({ organizationId, id })).toEqual({ success: true });
    await device.event("revoked");
    await device.ended;
    expect(await waiting).toMatchObject({ status: "lost", error: { reason: "device_revoked" } });
    expect(await ada.client.device.get.query({ organizationId, id })).toMatchObject({
      status: "offline",
      offlineReason: "revoked",
    });
    expect(await failure(device.client.device.self.query())).toMatchObject({ code: "UNAUTHORIZED" });
    expect(await failure(ada.client.device.rotateKey.mutate({ organizationId, id }))).toMatchObject({
      reason: "device_revoked",
    });
    expect(await failure(ada.client.agent.execute.mutate({ ...command, ifOffline: "queue" }))).toMatchObject({
      reason: "device_offline",
    });
  });

  it("cancels the queued commands, and an admin may do it", async () => {
    const bob = await server.signUp("Bob");
    await addMember(server, organizationId, bob, "admin");
    const { id } = await register("never connected");
    const command = await ada.client.agent.execute.mutate({ organizationId, deviceId: id, ...queued });
    await bob.client.device.revoke.mutate({ organizationId, id });
    expect(await ada.client.agent.getCommand.query({ organizationId, id: command.id })).toMatchObject({
      status: "canceled",
      error: { reason: "device_revoked" },
    });
  });
});

describe("device.rotateKey", () => {
  it("ends the old key and its stream, and the device continues with the new one", async () => {
    const { id, apiKey } = await register("rotated");
    const before = connectDevice(server.url, apiKey);
    await untilStatus(ada.client, organizationId, id, "online");
    const rotated = await ada.client.device.rotateKey.mutate({ organizationId, id });
    const after = connectDevice(server.url, rotated.apiKey, { journalId: before.journalId });
    await before.ended;
    expect(await failure(before.client.device.self.query())).toMatchObject({ code: "UNAUTHORIZED" });
    await after.event("beat");
    await untilStatus(ada.client, organizationId, id, "online");
    expect(after.events.map(({ type }) => type)).not.toContain("revoked");
    after.disconnect();
  });
});
