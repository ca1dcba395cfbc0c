import { describe, expect, it } from "vitest";
import { failure, useTestServer } from "../../testing/server";

const server = await useTestServer();
const { db } = server.database;
const machine = server.client();
const facts = { name: "laptop", platform: "linux" as const };

const request = () => machine.device.requestPairing.mutate({ ...facts, agentVersion: "1.2.3" });
const finish = (secret: string) => machine.device.finishPairing.mutate({ secret, ...facts });
const expire = () => db.updateTable("device_pairings").set({ expires_at: new Date() }).execute();

describe("a pairing", () => {
  it("makes a device of the member who approves it, once", async () => {
    const { client, organizationId, user } = await server.signUp("Ada");
    const { secret, code } = await request();
    expect(code).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
    expect(await finish(secret)).toEqual({ device: null });
    expect(await client.device.getPairing.query({ code })).toMatchObject({ ...facts, agentVersion: "1.2.3" });
    const typed = code.toLowerCase().replace("-", " ");
    const { deviceId } = await client.device.approvePairing.mutate({
      organizationId,
      code: typed,
      name: "desk",
    });
    expect(await client.device.list.query({ organizationId })).toEqual([]);

    const { device } = await finish(secret);
    expect(device).toMatchObject({
      id: deviceId,
      organizationId,
      ownerId: user.id,
      name: "desk",
      shared: false,
      // Ada owns the organization, but the code may be from another person's machine.
      secretsAllowed: false,
    });
    const allowed = { organizationId, id: deviceId, allowed: true };
    expect(await client.device.setSecretsAllowed.mutate(allowed)).toMatchObject({ secretsAllowed: true });
    const self = await server.client(device?.apiKey).device.self.query();
    expect(self.device.id).toBe(deviceId);
    expect(await failure(finish(secret))).toMatchObject({ code: "BAD_REQUEST", reason: "token_invalid" });
    const audit = await client.organization.listAuditEvents.query({ organizationId });
    expect(audit).toContainEqual(expect.objectContaining({ action: "device.register", targetId: deviceId }));
  });

  it("is approved once, and then no longer shown", async () => {
    const [ada, bob] = [await server.signUp("Ada"), await server.signUp("Bob")];
    const { code } = await request();
    await ada.client.device.approvePairing.mutate({ organizationId: ada.organizationId, code });
    for (const call of [
      () => bob.client.device.getPairing.query({ code }),
      () => bob.client.device.approvePairing.mutate({ organizationId: bob.organizationId, code }),
    ])
      expect(await failure(call())).toMatchObject({ code: "NOT_FOUND" });
  });

  it("makes one device even if its machine asks twice at a time", async () => {
    const { client, organizationId } = await server.signUp("Ada");
    const { secret, code } = await request();
    await client.device.approvePairing.mutate({ organizationId, code });
    const answers = await Promise.allSettled(Array.from({ length: 4 }, () => finish(secret)));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await client.device.list.query({ organizationId })).toHaveLength(1);
  });

  it("ends, and keeps neither its secret nor its code", async () => {
    const { client, organizationId } = await server.signUp("Ada");
    const { secret, code } = await request();
    const rows = JSON.stringify(await db.selectFrom("device_pairings").selectAll().execute());
    for (const hidden of [secret, code, code.replace("-", "")]) expect(rows).not.toContain(hidden);
    await expire();
    expect(await failure(client.device.getPairing.query({ code }))).toMatchObject({ code: "NOT_FOUND" });
    expect(await failure(client.device.approvePairing.mutate({ organizationId, code }))).toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await failure(finish(secret))).toMatchObject({ reason: "token_invalid" });
  });

  it("is invalid once its approver is disabled or deleted", async () => {
    const ada = await server.signUp("Ada");
    const { secret, code } = await request();
    await ada.client.device.approvePairing.mutate({ organizationId: ada.organizationId, code });
    await db.updateTable("users").set({ disabled_at: new Date() }).where("id", "=", ada.user.id).execute();
    expect(await failure(finish(secret))).toMatchObject({ reason: "token_invalid" });
  });
});

describe("a registration", () => {
  it("makes a device of one machine", async () => {
    const { client, organizationId, user } = await server.signUp("Ada");
    const { token, deviceId } = await client.device.createRegistration.mutate({
      organizationId,
      shared: true,
    });
    expect(token).toMatch(/^grt_[\w-]{43}$/);
    const { device } = await finish(token);
    expect(device).toMatchObject({ id: deviceId, ...facts, ownerId: user.id, shared: true });
    expect(await failure(finish(token))).toMatchObject({ reason: "token_invalid" });
  });

  it("ends within an hour", async () => {
    const { client, organizationId } = await server.signUp("Ada");
    const { token, expiresAt } = await client.device.createRegistration.mutate({ organizationId });
    expect(Date.parse(expiresAt)).toBeLessThanOrEqual(Date.now() + 3_700_000);
    await expire();
    expect(await failure(finish(token))).toMatchObject({ reason: "token_invalid" });
  });
});
