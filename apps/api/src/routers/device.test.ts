import { notify } from "@grove/db";
import { describe, expect, it } from "vitest";
import { connectDevice, untilStatus } from "../testing/device";
import { useTestServer } from "../testing/server";

const server = await useTestServer();
const ada = await server.signUp("Ada");
const { organizationId } = ada;

describe("a device", () => {
  it("is registered with a key that is shown once and stands for it alone", async () => {
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

  it("is online by an answered beat, not by its stream", async () => {
    const { id, apiKey } = await ada.client.device.register.mutate({
      organizationId,
      name: "mute",
      platform: "linux",
    });
    const mute = connectDevice(server.url, apiKey, { answerBeats: false, capabilities: ["list_projects"] });
    const beat = await mute.event("beat");
    const find = async () =>
      (await ada.client.device.list.query({ organizationId })).find((device) => device.id === id);
    expect(await find()).toMatchObject({
      status: "offline",
      agentVersion: "0.0.0-test",
      capabilities: ["list_projects"],
    });
    await mute.client.agent.heartbeat.mutate({ epoch: beat.epoch, beat: beat.n, running: [] });
    expect(await find()).toMatchObject({ status: "online", offlineReason: null });
    mute.disconnect();
    await untilStatus(ada.client, organizationId, id, "offline");
    expect(await find()).toMatchObject({ offlineReason: "disconnected" });
  });

  it("hears that it is revoked, and its stream ends", async () => {
    const { id, apiKey } = await ada.client.device.register.mutate({
      organizationId,
      name: "gone",
      platform: "mac",
    });
    const device = connectDevice(server.url, apiKey);
    await device.event("beat");
    const { db } = server.database;
    await db.updateTable("devices").set({ revoked_at: new Date() }).where("id", "=", id).execute();
    await notify(db, "credential_revoked", id);
    await device.event("revoked");
    await device.ended;
  });
});
