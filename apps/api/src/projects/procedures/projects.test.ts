import { newId } from "@grove/db";
import { secretLimits } from "@grove/schemas";
import { describe, expect, it } from "vitest";
import { secretIdentity } from "../../secrets/identities";
import { addMember, projectFields } from "../../testing/fixtures";
import { failure, useTestServer } from "../../testing/server";

const server = await useTestServer();
const ada = await server.signUp("Ada");
const bob = await server.signUp("Bob");
const { organizationId } = ada;
await addMember(server, organizationId, bob, "member");
const { db } = server.database;

const create = () => ada.client.project.create.mutate({ organizationId, ...projectFields() });
const audited = async (targetId: string) => {
  const rows = await db
    .selectFrom("audit_events")
    .select(["action", "metadata"])
    .where("target_id", "=", targetId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(({ action, metadata }) => ({ action, metadata }));
};

describe("project.get", () => {
  it("finds a project by its id or its slug, in its organization only", async () => {
    const project = await create();
    for (const id of [project.id, project.slug])
      expect(await bob.client.project.get.query({ organizationId, id })).toEqual(project);
    const eve = await server.signUp("Eve");
    for (const id of [project.id, project.slug, "no-such-project"])
      expect(
        await failure(eve.client.project.get.query({ organizationId: eve.organizationId, id })),
      ).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("project.update", () => {
  it("changes the given fields; the repository's URL only for an admin", async () => {
    const project = await create();
    const renamed = await bob.client.project.update.mutate({ organizationId, id: project.id, name: "Ört ✓" });
    expect(renamed).toMatchObject({ name: "Ört ✓", repoUrl: project.repoUrl, slug: project.slug });
    expect(project.restorePoints).toBe(true);
    const off = { organizationId, id: project.id, restorePoints: false };
    expect(await bob.client.project.update.mutate(off)).toMatchObject({
      restorePoints: false,
      name: "Ört ✓",
    });
    const moved = { organizationId, id: project.id, repoUrl: "https://example.com/other.git" };
    expect(await failure(bob.client.project.update.mutate(moved))).toMatchObject({ reason: "role_required" });
    expect(await ada.client.project.update.mutate(moved)).toMatchObject({ repoUrl: moved.repoUrl });
  });
});

describe("project.delete", () => {
  it("deletes its workspaces and secrets, and reports that a worktree stays on a device", async () => {
    const project = await create();
    const other = await create();
    const device = await ada.client.device.register.mutate({ organizationId, name: "a", platform: "linux" });
    const workspace = { id: newId(), name: "tree", type: "worktree" as const, config: {} };
    const ensured = { organizationId, project: projectFields(project.slug), workspace };
    await server.client(device.apiKey).workspace.ensure.mutate(ensured);
    await ada.client.project.setSecret.mutate({
      organizationId,
      projectId: project.id,
      key: "A",
      value: "1",
    });
    const key = { organizationId, id: project.id };
    expect(await ada.client.project.delete.mutate(key)).toEqual({ success: true, worktreeKept: true });
    expect(await ada.client.project.delete.mutate({ ...key, id: other.id })).toEqual({ success: true });
    expect(await failure(ada.client.project.get.query(key))).toMatchObject({ code: "NOT_FOUND" });
    expect(await failure(ada.client.workspace.get.query({ ...key, id: workspace.id }))).toMatchObject({
      code: "NOT_FOUND",
    });
    // The device does not restore the workspace.
    expect(await failure(server.client(device.apiKey).workspace.ensure.mutate(ensured))).toMatchObject({
      reason: "workspace_id_taken",
    });
    expect((await audited(project.id)).at(-1)).toEqual({
      action: "project.delete",
      metadata: { name: project.name, slug: project.slug, workspaces: 1 },
    });
  });
});

describe("a project's secrets", () => {
  it("are listed by name, shown to a session of an admin, and overwritten", async () => {
    const { id: projectId } = await create();
    const of = { organizationId, projectId };
    await ada.client.project.setSecret.mutate({ ...of, key: "B_TOKEN", value: "first" });
    await ada.client.project.setSecret.mutate({ ...of, key: "A_TOKEN", value: "línea\n✓" });
    await ada.client.project.setSecret.mutate({ ...of, key: "B_TOKEN", value: "second" });
    const listed = await bob.client.project.listSecrets.query(of);
    expect(listed.map(({ key }) => key)).toEqual(["A_TOKEN", "B_TOKEN"]);
    const reveal = { ...of, key: "B_TOKEN" };
    expect(await ada.client.project.revealSecret.mutate(reveal)).toEqual({ key: "B_TOKEN", value: "second" });
    expect(await ada.client.project.revealSecret.mutate({ ...of, key: "A_TOKEN" })).toMatchObject({
      value: "línea\n✓",
    });
    const apiKey = await ada.client.apiKey.create.mutate({ organizationId, name: "ci" });
    expect(await failure(server.client(apiKey.key).project.revealSecret.mutate(reveal))).toMatchObject({
      reason: "session_required",
    });
    expect(await ada.client.project.deleteSecret.mutate(reveal)).toEqual({ success: true });
    for (const call of [
      () => ada.client.project.deleteSecret.mutate(reveal),
      () => ada.client.project.revealSecret.mutate(reveal),
    ])
      expect(await failure(call())).toMatchObject({ code: "NOT_FOUND" });
    const events = await audited(projectId);
    expect(events.map(({ action }) => action)).toEqual([
      "project.create",
      ...Array(3).fill("project.setSecret"),
      ...Array(2).fill("project.revealSecret"),
      "project.deleteSecret",
    ]);
    expect(JSON.stringify(events)).not.toContain("second");
  });

  it("are encrypted in the table, each for its own row", async () => {
    const { id: projectId } = await create();
    const of = { organizationId, projectId };
    await ada.client.project.setSecret.mutate({ ...of, key: "ONE", value: "hunter2" });
    await ada.client.project.setSecret.mutate({ ...of, key: "TWO", value: "other" });
    const rows = await db
      .selectFrom("project_secrets")
      .selectAll()
      .where("project_id", "=", projectId)
      .orderBy("key")
      .execute();
    expect(JSON.stringify(rows)).not.toContain("hunter2");
    const [one, two] = rows;
    if (!one || !two) throw new Error("Both secrets should be there.");
    expect(server.services.vault.open(one.sealed, secretIdentity(one))).toBe("hunter2");
    expect(() => server.services.vault.open(one.sealed, secretIdentity(two))).toThrow();
  });

  it("have a limit, even for concurrent calls, and can be overwritten at the limit", async () => {
    const { id: projectId } = await create();
    const set = (number: number) =>
      ada.client.project.setSecret.mutate({ organizationId, projectId, key: `S_${number}`, value: "x" }).then(
        () => "set",
        (error) => error.data.reason,
      );
    const before = Array.from({ length: secretLimits.perProject - 3 }, (_, number) => set(number));
    await Promise.all(before);
    const answers = await Promise.all(Array.from({ length: 5 }, (_, number) => set(1_000 + number)));
    expect(answers.sort()).toEqual(["set", "set", "set", "too_many_secrets", "too_many_secrets"]);
    expect(await set(0)).toBe("set");
  });

  it.each([
    ["lower", "x"],
    ["1A", "x"],
    ["A".repeat(201), "x"],
    ["A", "ä".repeat(40_000)],
    ["A", "\0"],
  ])("%.10s is refused", async (key, value) => {
    const { id: projectId } = await create();
    const call = ada.client.project.setSecret.mutate({ organizationId, projectId, key, value });
    expect(await failure(call)).toMatchObject({ code: "BAD_REQUEST" });
  });
});

describe("the URL of a repository", () => {
  const token = "ghp_0123456789";
  it.each([
    `https://me:${token}@github.com/acme/app`,
    `https://${token}@github.com/acme/app`,
    `ssh://git:${token}@github.com/acme/app`,
    "http://github.com/acme/app",
    "ext::sh -c true",
    "file://host/app",
    "hello",
  ])("may not be %s, which is not repeated", async (repoUrl) => {
    const fields = { ...projectFields(), repoUrl };
    const workspace = { id: newId(), name: "tree", type: "worktree" as const, config: {} };
    const { id } = await ada.client.project.create.mutate({ organizationId, ...projectFields() });
    for (const refused of [
      await failure(ada.client.project.create.mutate({ organizationId, ...fields })),
      await failure(ada.client.workspace.ensure.mutate({ organizationId, project: fields, workspace })),
      await failure(ada.client.project.update.mutate({ organizationId, id, repoUrl })),
    ]) {
      expect(refused.code).toBe("BAD_REQUEST");
      expect(JSON.stringify(refused)).not.toContain(token);
    }
  });

  it.each(["https://github.com/acme/app.git", "ssh://git@github.com:22/acme/app", "git@github.com:acme/app"])(
    "may be %s",
    async (repoUrl) => {
      const project = await ada.client.project.create.mutate({ organizationId, ...projectFields(), repoUrl });
      expect(project.repoUrl).toBe(repoUrl);
    },
  );

  it("is a directory only once the device that has it has named it", async () => {
    const repoUrl = `file:///srv/${newId()}`;
    const create = (client: typeof ada.client) =>
      client.project.create.mutate({ organizationId, ...projectFields(), repoUrl });
    expect(await failure(create(ada.client))).toMatchObject({ code: "BAD_REQUEST" });
    const machine = { organizationId, name: "a", platform: "linux" as const };
    const { apiKey } = await ada.client.device.register.mutate(machine);
    await create(server.client(apiKey));
    expect((await create(ada.client)).repoUrl).toBe(repoUrl);
  });

  it("and every other change of a project is audited", async () => {
    const project = await ada.client.project.create.mutate({ organizationId, ...projectFields() });
    const repoUrl = "https://example.com/moved.git";
    await ada.client.project.update.mutate({ organizationId, id: project.id, repoUrl });
    const [updated, created] = await ada.client.organization.listAuditEvents.query({
      organizationId,
      limit: 2,
    });
    expect(updated).toMatchObject({
      action: "project.update",
      targetId: project.id,
      metadata: { repoUrl },
    });
    expect(created).toMatchObject({ action: "project.create", targetId: project.id });
  });
});
