import { describe, expect, it } from "vitest";
import { addMember } from "../../testing/fixtures";
import { failure, password, useTestServer } from "../../testing/server";

const server = await useTestServer();
const { db, notifier } = server.database;

const signIn = (email: string, withPassword: string) =>
  fetch(`${server.url}/api/auth/sign-in`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password: withPassword }),
  });

describe("get", () => {
  it.each(["", "?input=null", "?input={}"])("accepts every form of no input: %s", async (query) => {
    const { client, token } = await server.signUp();
    const answer = await fetch(`${server.url}/api/trpc/user.get${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await answer.json()).toEqual({ result: { data: await client.user.get.query() } });
  });

  it("takes no argument", async () => {
    const { token } = await server.signUp();
    const answer = await fetch(`${server.url}/api/trpc/user.get?input={"id":1}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(400);
  });
});

describe("update", () => {
  it("changes what is given", async () => {
    const { client, user } = await server.signUp("Ada");
    const image = "https://example.com/ada.png";
    expect(await client.user.update.mutate({ image })).toMatchObject({ id: user.id, name: "Ada", image });
    expect(await client.user.update.mutate({ name: "Ada L." })).toMatchObject({ name: "Ada L.", image });
    await client.user.update.mutate({ image: null });
    expect(await client.user.get.query()).toMatchObject({ name: "Ada L.", image: "" });
  });

  it.each(["http://example.com/a.png", "javascript:alert(1)", "ada.png"])(
    "accepts no image from %s",
    async (image) => {
      const { client } = await server.signUp();
      expect(await failure(client.user.update.mutate({ image }))).toMatchObject({ code: "BAD_REQUEST" });
    },
  );
});

describe("getSignInMethods", () => {
  it("distinguishes a password from a provider", async () => {
    const { client, user } = await server.signUp();
    expect(await client.user.getSignInMethods.query()).toEqual({ password: true, providers: [] });
    await db
      .insertInto("oauth_accounts")
      .values({ provider: "github", provider_user_id: user.id, user_id: user.id })
      .execute();
    await db.updateTable("users").set({ password_hash: null }).where("id", "=", user.id).execute();
    expect(await client.user.getSignInMethods.query()).toEqual({ password: false, providers: ["github"] });
  });
});

describe("changePassword", () => {
  it("ends the other sessions, and only the new one signs in", async () => {
    const { client, user } = await server.signUp();
    const other = await server.signIn(user.email);
    const newPassword = "staple battery horse";
    await client.user.changePassword.mutate({ currentPassword: password, newPassword });
    await client.user.get.query();
    expect(await failure(other.client.user.get.query())).toMatchObject({ code: "UNAUTHORIZED" });
    expect((await signIn(user.email, password)).status).toBe(401);
    expect((await signIn(user.email, newPassword)).status).toBe(200);
  });

  it("requires the current one", async () => {
    const { client } = await server.signUp();
    const call = client.user.changePassword.mutate({ currentPassword: "wrong", newPassword: password });
    expect(await failure(call)).toMatchObject({ code: "FORBIDDEN", reason: "invalid_credentials" });
  });
});

describe("sessions", () => {
  it("are listed newest first, with the calling one marked", async () => {
    const { client, user } = await server.signUp();
    const other = await server.signIn(user.email);
    const listed = await client.user.listSessions.query();
    expect(listed.map(({ id, current }) => [id === other.sessionId, current])).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(listed[0]).toMatchObject({ ip: "127.0.0.1", userAgent: expect.any(String) });
  });

  it("end with the next request, and are announced", async () => {
    const { client, user } = await server.signUp();
    const other = await server.signIn(user.email);
    const heard: string[] = [];
    const stop = notifier.subscribe("credential_revoked", other.sessionId, ({ kind }) => heard.push(kind));
    await client.user.revokeSession.mutate({ id: other.sessionId });
    await expect.poll(() => heard).toEqual(["notification"]);
    stop();
    expect(await failure(other.client.user.get.query())).toMatchObject({ code: "UNAUTHORIZED" });
    const again = client.user.revokeSession.mutate({ id: other.sessionId });
    expect(await failure(again)).toMatchObject({ code: "NOT_FOUND" });
  });

  it("are the caller's own", async () => {
    const ada = await server.signUp();
    const eve = await server.signUp("Eve");
    const [session] = await ada.client.user.listSessions.query();
    const call = eve.client.user.revokeSession.mutate({ id: session?.id ?? "" });
    expect(await failure(call)).toMatchObject({ code: "NOT_FOUND" });
    await ada.client.user.get.query();
  });
});

describe("delete", () => {
  it("removes the account, its sessions, keys and devices, and its own organization", async () => {
    const ada = await server.signUp();
    const bob = await server.signUp("Bob");
    await addMember(server, bob.organizationId, ada, "member");
    const { organizationId } = bob;
    const { key } = await ada.client.apiKey.create.mutate({ organizationId, name: "ci" });
    const device = await ada.client.device.register.mutate({ organizationId, name: "a", platform: "linux" });
    await ada.client.user.delete.mutate({ password });
    for (const refused of await Promise.all(
      [
        ada.client.user.get.query(),
        server.client(key).user.get.query(),
        server.client(device.apiKey).device.self.query(),
      ].map(failure),
    ))
      expect(refused).toMatchObject({ code: "UNAUTHORIZED" });
    expect((await signIn(ada.user.email, password)).status).toBe(401);
    const left = await db
      .selectFrom("organizations")
      .select("id")
      .where("id", "=", ada.organizationId)
      .execute();
    expect(left).toEqual([]);
    expect(await bob.client.organization.listMembers.query({ organizationId })).toHaveLength(1);
    const [event] = await bob.client.organization.listAuditEvents.query({ organizationId });
    expect(event).toMatchObject({ action: "user.delete", actorId: ada.user.id, targetId: ada.user.id });
  });

  it("is refused while others would be left without an owner", async () => {
    const ada = await server.signUp();
    const bob = await server.signUp("Bob");
    await addMember(server, ada.organizationId, bob, "member");
    expect(await failure(ada.client.user.delete.mutate({ password }))).toMatchObject({
      code: "PRECONDITION_FAILED",
      reason: "last_owner",
    });
    await ada.client.organization.updateMemberRole.mutate({
      organizationId: ada.organizationId,
      userId: bob.user.id,
      role: "owner",
    });
    await ada.client.user.delete.mutate({ password });
  });

  it("requires the password", async () => {
    const { client } = await server.signUp();
    const call = client.user.delete.mutate({ password: "wrong" });
    expect(await failure(call)).toMatchObject({ code: "FORBIDDEN", reason: "invalid_credentials" });
    await client.user.get.query();
  });
});
