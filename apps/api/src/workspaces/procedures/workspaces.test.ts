import { newId } from "@grove/db";
import { describe, expect, it } from "vitest";
import { projectFields } from "../../testing/fixtures";
import { failure, useTestServer } from "../../testing/server";

const server = await useTestServer();
const ada = await server.signUp("Ada");
const eve = await server.signUp("Eve");
const { organizationId } = ada;

const ensureInput = () => ({
  organizationId,
  project: projectFields(),
  workspace: { id: newId(), name: "main", type: "main" as const, config: { note: "héllo ✓" } },
});

describe("workspace.ensure", () => {
  // Contract: workspace.ensure.output, workspace.ensure.upsert
  it("creates both once and returns the same ids from then on", async () => {
    const input = ensureInput();
    const first = await ada.client.workspace.ensure.mutate(input);
    const again = await ada.client.workspace.ensure.mutate({
      ...input,
      project: { ...input.project, name: "Renamed" },
    });
    expect(again).toMatchObject({ projectId: first.projectId, workspaceId: input.workspace.id });
    expect(again.txid).not.toBe(first.txid);
    expect(first.txid).toMatch(/^\d+$/);
    const project = await ada.client.project.get.query({ organizationId, id: first.projectId });
    expect(project).toMatchObject({ name: "Orchard", defaultBranch: "main" });
    const [workspace] = await ada.client.workspace.list.query({
      organizationId,
      projectId: first.projectId,
    });
    expect(workspace).toMatchObject({ ...input.workspace, deviceId: null, createdBy: ada.user.id });
  });

  // Contract: workspace.ensure.upsert
  it("gives fifty concurrent callers one project and one workspace", async () => {
    const input = ensureInput();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => server.client(ada.token).workspace.ensure.mutate(input)),
    );
    expect(new Set(answers.map(({ projectId, workspaceId }) => `${projectId} ${workspaceId}`)).size).toBe(1);
    expect(new Set(answers.map(({ txid }) => txid)).size).toBe(50);
    const projectId = answers[0]?.projectId;
    expect(await ada.client.workspace.list.query({ organizationId, projectId })).toHaveLength(1);
  });

  // Contract: workspace.ensure.atomic
  it("gives the same error for an id in another organization, of another project, and of a deleted one", async () => {
    const input = ensureInput();
    await ada.client.workspace.ensure.mutate(input);
    const elsewhere = await failure(
      eve.client.workspace.ensure.mutate({ ...input, organizationId: eve.organizationId }),
    );
    const otherProject = await failure(
      ada.client.workspace.ensure.mutate({ ...input, project: projectFields() }),
    );
    await ada.client.workspace.delete.mutate({ organizationId, id: input.workspace.id });
    const deleted = await failure(ada.client.workspace.ensure.mutate(input));
    for (const { code, reason, message } of [elsewhere, otherProject, deleted])
      expect({ code, reason, message }).toEqual({
        code: "CONFLICT",
        reason: "workspace_id_taken",
        message: "This workspace id is taken. Choose a new id.",
      });
    // The refused call left nothing behind.
    expect(await eve.client.project.list.query({ organizationId: eve.organizationId })).toEqual([]);
  });

  it("is the device's with a device key, and the requester's by the command", async () => {
    const device = await ada.client.device.register.mutate({ organizationId, name: "a", platform: "linux" });
    const input = ensureInput();
    const asDevice = server.client(device.apiKey);
    const { workspaceId } = await asDevice.workspace.ensure.mutate(input);
    const [workspace] = await ada.client.workspace.list.query({ organizationId, deviceId: device.id });
    expect(workspace).toMatchObject({ id: workspaceId, deviceId: device.id, createdBy: null });
    const other = await ada.client.device.register.mutate({ organizationId, name: "b", platform: "linux" });
    expect(await failure(server.client(other.apiKey).workspace.ensure.mutate(input))).toMatchObject({
      reason: "workspace_id_taken",
    });
    expect(
      await failure(asDevice.workspace.ensure.mutate({ ...ensureInput(), commandId: newId() })),
    ).toMatchObject({ code: "NOT_FOUND" });
    expect(await ada.client.workspace.delete.mutate({ organizationId, id: workspaceId })).toEqual({
      success: true,
      worktreeKept: true,
    });
  });

  it("does not bring back a project that was deleted while a device made a workspace in it", async () => {
    const { id: deviceId, apiKey } = await ada.client.device.register.mutate({
      organizationId,
      name: "a",
      platform: "linux",
    });
    const input = ensureInput();
    const { id: projectId } = await ada.client.project.create.mutate({ organizationId, ...input.project });
    const { id: commandId } = await ada.client.agent.execute.mutate({
      organizationId,
      deviceId,
      tool: "create_workspace",
      params: { projectId, workspaces: [{}, {}] },
      waitMs: 0,
      ifOffline: "queue",
    });
    const register = (id: string) =>
      server
        .client(apiKey)
        .workspace.ensure.mutate({ ...input, workspace: { ...input.workspace, id }, commandId });
    const first = newId();
    expect(await register(first)).toMatchObject({ projectId });
    expect(await ada.client.workspace.get.query({ organizationId, id: first })).toMatchObject({
      createdBy: ada.user.id,
    });
    await ada.client.project.delete.mutate({ organizationId, id: projectId });
    expect(await failure(register(newId()))).toMatchObject({
      code: "NOT_FOUND",
      message: `There is no project ${projectId}.`,
    });
    const { slug } = input.project;
    const projects = await ada.client.project.list.query({ organizationId });
    expect(projects.filter((project) => project.slug === slug)).toEqual([]);
  });
});

describe("workspace.update", () => {
  it("renames, and replaces the config as a whole; what is omitted stays", async () => {
    const input = ensureInput();
    await ada.client.workspace.ensure.mutate(input);
    const key = { organizationId, id: input.workspace.id };
    const renamed = await ada.client.workspace.update.mutate({ ...key, name: "Ört ✓" });
    expect(renamed).toMatchObject({ ...input.workspace, name: "Ört ✓" });
    const config = { other: [1] };
    const changed = await ada.client.workspace.update.mutate({ ...key, config });
    expect(changed).toMatchObject({ name: "Ört ✓", config });
    expect(Date.parse(changed.updatedAt)).toBeGreaterThanOrEqual(Date.parse(renamed.updatedAt));
    expect(await ada.client.workspace.get.query(key)).toEqual(changed);
    await ada.client.workspace.delete.mutate(key);
    expect(await failure(ada.client.workspace.update.mutate({ ...key, name: "gone" }))).toMatchObject({
      code: "NOT_FOUND",
    });
  });
});

describe("workspace.update by a device", () => {
  it("renames workspaces on it, and nothing else", async () => {
    const register = async (name: string) => {
      const { apiKey } = await ada.client.device.register.mutate({ organizationId, name, platform: "linux" });
      return server.client(apiKey);
    };
    const [device, other] = [await register("one"), await register("two")];
    const { workspaceId: id } = await device.workspace.ensure.mutate(ensureInput());
    expect(await device.workspace.update.mutate({ organizationId, id, name: "new" })).toMatchObject({
      id,
      name: "new",
    });
    const refused = await failure(other.workspace.update.mutate({ organizationId, id, name: "mine" }));
    expect(refused.code).toBe("NOT_FOUND");
  });
});

describe("bad input", () => {
  // Contract: errors.badRequest
  it("is BAD_REQUEST with the fields that are wrong", async () => {
    const input = ensureInput();
    const answer = await failure(
      ada.client.workspace.ensure.mutate({
        ...input,
        project: { ...input.project, slug: "not a slug" },
        workspace: { ...input.workspace, id: "7", type: "branch" as "main" },
        // @ts-expect-error unknown keys are refused
        extra: true,
      }),
    );
    expect(answer.code).toBe("BAD_REQUEST");
    expect(Object.keys(answer.data.fieldErrors).sort()).toEqual([
      "",
      "project.slug",
      "workspace.id",
      "workspace.type",
    ]);
    expect(answer.data.requestId).toMatch(/[0-9a-f-]{36}/);
    expect(answer.data).not.toHaveProperty("stack");
  });

  it.each([
    ["a NUL in text", { name: "a\0b" }],
    ["half a surrogate pair", { name: "a\ud800b" }],
    ["a NUL deep in the config", { config: { a: [{ b: "\0" }] } }],
    ["a config over 64 KiB", { config: { a: "x".repeat(70_000) } }],
  ])("%s", async (_, change) => {
    const input = ensureInput();
    const call = ada.client.workspace.ensure.mutate({
      ...input,
      workspace: { ...input.workspace, ...change },
    });
    expect((await failure(call)).code).toBe("BAD_REQUEST");
  });
});

describe("workspace.list", () => {
  // Contract: workspace.list
  it("pages by keyset, newest first, without gap or duplicate", async () => {
    const person = await server.signUp();
    const made: string[] = [];
    const ensured = { ...ensureInput(), organizationId: person.organizationId };
    for (let count = 0; count < 7; count++) {
      const id = newId();
      await person.client.workspace.ensure.mutate({ ...ensured, workspace: { ...ensured.workspace, id } });
      made.unshift(id);
    }
    const listed: string[] = [];
    let after: string | undefined;
    do {
      const page = await person.client.workspace.list.query({
        organizationId: person.organizationId,
        limit: 3,
        after,
      });
      listed.push(...page.map(({ id }) => id));
      after = page.length === 3 ? page.at(-1)?.id : undefined;
    } while (after);
    expect(listed).toEqual(made);
    const gone = await failure(
      person.client.workspace.list.query({ organizationId: person.organizationId, after: newId() }),
    );
    expect(gone).toMatchObject({ code: "BAD_REQUEST", reason: "cursor_gone" });
  });
});
