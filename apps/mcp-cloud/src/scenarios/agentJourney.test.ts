import { type Tenant, useApi } from "@grove/test-api";
import { beforeAll, describe, expect, it } from "vitest";
import { call, connect } from "../testing/client";
import { type Answer, type Delivered, TestDevice } from "../testing/device";

/** The built server against the real API, its database, and a device that speaks the real protocol. */

const api = useApi();
let ada: Tenant;
let eve: Tenant;
beforeAll(async () => {
  [ada, eve] = await Promise.all([api.signUp("ada"), api.signUp("eve")]);
});

const connectAs = ({ apiKey }: { apiKey: string }) => connect({ API_URL: api.url, API_KEY: apiKey });
const project = (slug: string) => ({
  name: `Project ${slug}`,
  slug,
  repoOwner: "acme",
  repoName: slug,
  repoUrl: `https://example.com/acme/${slug}.git`,
});
const anyId = "0199aaaa-0000-7000-8000-000000000001";

/** Runs a test with a device, which is offline afterwards. */
async function withDevice(
  script: (command: Delivered) => Promise<Answer> | Answer,
  run: (device: TestDevice, tenant: Tenant) => Promise<void>,
  capabilities?: string[],
): Promise<void> {
  const tenant = await api.signUp("owner");
  const device = await TestDevice.register(api, tenant, "workbench", script, capabilities);
  await device.connect();
  try {
    await run(device, tenant);
  } finally {
    device.disconnect();
  }
}

describe("the caller", () => {
  it("answers exactly Authentication required to an unknown key, and to a revoked one", async () => {
    const unknown = await connectAs({ apiKey: "grk_nobody_knows_this_one" });
    const refused = { isError: true, text: "Authentication required", data: undefined };
    expect(await call(unknown, "list_devices")).toEqual(refused);
    expect(await call(unknown, "list_workspaces")).toEqual(refused);

    const tenant = await api.signUp("mallory");
    const client = await connectAs(tenant);
    expect((await call(client, "list_devices")).isError).toBe(false);
    const { organizationId, apiKeyId } = tenant;
    await tenant.client.apiKey.revoke.mutate({ organizationId, id: apiKeyId });
    expect(await call(client, "list_devices")).toEqual(refused);
    expect(await call(client, "get_command", { commandId: anyId })).toEqual(refused);
  });

  it("does not accept a device key as an API key", async () => {
    const { organizationId } = ada;
    const device = await ada.client.device.register.mutate({ organizationId, name: "d", platform: "mac" });
    const client = await connectAs(device);
    expect((await call(client, "list_projects")).text).toBe("Authentication required");
  });

  it("runs only reading tools on a device for a read-only key, and asks for another key for the rest", async () => {
    const { organizationId } = ada;
    const readOnly = await ada.client.apiKey.create.mutate({ organizationId, name: "r", scopes: ["read"] });
    const client = await connectAs({ apiKey: readOnly.key });
    expect((await call(client, "list_projects")).isError).toBe(false);
    const refused = await call(client, "delete_workspace", { deviceId: anyId, workspaceIds: [anyId] });
    expect(refused.text).toMatch(/^scope_required: .*write.* Use an API key that has that scope\.$/);
    const device = await TestDevice.register(api, ada, "reader", () => ({ result: { workspaces: [] } }));
    await device.connect();
    const listed = await call(client, "list_workspaces", { deviceId: device.id });
    device.disconnect();
    expect(listed.data).toMatchObject({ workspaces: [], total: 0 });
  });

  it("keeps organizations apart: items of another one are not found", async () => {
    const { organizationId } = eve;
    const device = await TestDevice.register(api, eve, "eves");
    const { id: projectId } = await eve.client.project.create.mutate({
      organizationId,
      ...project("secret"),
    });
    const client = await connectAs(ada);
    for (const args of [{ deviceId: device.id }, { deviceId: anyId }])
      expect((await call(client, "list_workspaces", args)).text).toBe(
        `not_found: There is no device ${args.deviceId}. list_devices shows the existing ids.`,
      );
    const create = { deviceId: device.id, projectId, workspaces: [{}] };
    expect((await call(client, "create_workspace", create)).text).toMatch(/^not_found: There is no device/);
    expect((await call(client, "get_app_context", { deviceId: device.id })).text).toMatch(/^not_found/);
    expect((await call(client, "list_projects", { deviceId: device.id })).text).toMatch(/^not_found/);
    expect(JSON.stringify(await call(client, "list_projects"))).not.toContain(projectId);
    expect(JSON.stringify(await call(client, "list_devices"))).not.toContain(device.id);
  });
});

describe("lists", () => {
  it("shows devices, their owners and why one is offline", async () => {
    await withDevice(
      () => ({ result: null }),
      async (device, tenant) => {
        const never = await TestDevice.register(api, tenant, 'a "quoted" name');
        const client = await connectAs(tenant);
        const all = await call(client, "list_devices");
        const owner = { userId: tenant.userId, name: "owner", isYou: true };
        expect(all.data).toEqual({
          devices: [
            {
              id: never.id,
              name: 'a "quoted" name',
              platform: "linux",
              status: "offline",
              offlineReason: "never_connected",
              owner,
              lastSeenAt: null,
              canExecute: true,
            },
            {
              id: device.id,
              name: "workbench",
              platform: "linux",
              status: "online",
              offlineReason: null,
              owner,
              lastSeenAt: expect.any(String),
              canExecute: true,
            },
          ],
          total: 2,
          next: null,
        });
        expect(JSON.parse(all.text)).toEqual(all.data);
        const online = await call(client, "list_devices", { status: "online" });
        expect(online.data).toMatchObject({ devices: [{ id: device.id }], total: 1 });
      },
    );
  });

  it("pages through projects and searches them", async () => {
    const tenant = await api.signUp("many");
    const { organizationId } = tenant;
    const slugs = Array.from({ length: 103 }, (_, index) => `orchard-${index}`);
    for (const slug of slugs) await tenant.client.project.create.mutate({ organizationId, ...project(slug) });
    const client = await connectAs(tenant);
    const first = await call(client, "list_projects");
    const second = await call(client, "list_projects", { after: first.data?.next });
    const rows = [first, second].map((answer) => answer.data?.projects as { slug: string }[]);
    expect(rows.map((page) => page.length)).toEqual([100, 3]);
    expect(rows.flat().map((row) => row.slug)).toEqual(slugs.reverse());
    expect(second.data).toMatchObject({ total: 103, next: null });
    expect(rows[0]?.[0]).toEqual({
      id: expect.any(String),
      name: "Project orchard-102",
      slug: "orchard-102",
      defaultBranch: "main",
      repoUrl: "https://example.com/acme/orchard-102.git",
    });
    const found = await call(client, "list_projects", { search: "ORCHARD-7" });
    expect(found.data).toMatchObject({ total: 11 });
    const gone = await call(client, "list_projects", { after: anyId });
    expect(gone.text).toBe(`cursor_gone: Row ${anyId} is no longer in this list. Call again without after.`);
  });
});

describe("tools that run on a device", () => {
  it("infers the device if exactly one usable one is online", async () => {
    const workspace = {
      id: anyId,
      projectId: anyId,
      name: "quiet-fern",
      branch: "quiet-fern",
      path: "/home/a/quiet-fern",
      state: "ready",
      dirty: false,
      ahead: 1,
      behind: null,
      active: true,
    };
    const context = {
      hostName: "bench",
      platform: "linux",
      agentVersion: "1.0.0",
      home: "/home/a/.grove",
      activeWorkspaceId: null,
      git: { version: "2.39" },
      agents: [{ name: "claude", version: null }],
      defaultAgent: "claude",
      sessions: [],
    };
    const script = ({ tool }: Delivered) => ({
      result: tool === "list_workspaces" ? { workspaces: [workspace] } : context,
    });
    await withDevice(script, async (device, tenant) => {
      const client = await connectAs(tenant);
      expect((await call(client, "list_workspaces")).data).toEqual({
        deviceId: device.id,
        workspaces: [workspace],
        total: 1,
        next: null,
      });
      expect((await call(client, "get_app_context")).data).toEqual({
        deviceId: device.id,
        ...context,
        git: "2.39",
      });

      const second = await TestDevice.register(api, tenant, "second", script);
      await second.connect();
      const several = await call(client, "list_workspaces");
      second.disconnect();
      expect(several.isError).toBe(true);
      expect(several.text).toBe(
        `several_devices: deviceId was omitted, and 2 usable devices are online: "second" (${second.id}), ` +
          `"workbench" (${device.id}). Call again with the deviceId of one of them.`,
      );
    });
    const client = await connectAs(ada);
    expect((await call(client, "get_app_context")).text).toMatch(/^no_device_online: deviceId was omitted/);
  });

  it("lists the projects on a device", async () => {
    const there = {
      id: anyId,
      name: "Orchard",
      slug: "orchard",
      path: "/src/orchard",
      defaultBranch: "trunk",
    };
    const seen: unknown[] = [];
    const script = ({ params }: Delivered) => {
      seen.push(params);
      return { result: { projects: [there] } };
    };
    await withDevice(script, async (device, tenant) => {
      const client = await connectAs(tenant);
      const answer = await call(client, "list_projects", { deviceId: device.id, search: "orch" });
      expect(answer.data).toEqual({ deviceId: device.id, projects: [there], total: 1, next: null });
      expect(seen).toEqual([{ search: "orch" }]);
    });
  });

  // Contract: cloud.createWorkspace.forwards
  it("forwards create_workspace's ids and workspaces, and answers item by item", async () => {
    const made = {
      id: anyId,
      name: "a",
      branch: "a",
      baseBranch: "main",
      path: "/w/a",
      alreadyExisted: false,
    };
    const failed = {
      name: "b",
      alreadyExisted: false,
      error: { reason: "branch_exists", message: 'The branch "b" exists.' },
    };
    const seen: Delivered[] = [];
    const script = (command: Delivered) => {
      seen.push(command);
      return { result: { workspaces: [made, failed] } };
    };
    await withDevice(script, async (device, tenant) => {
      const client = await connectAs(tenant);
      const workspaces = [{ name: "a", baseBranch: "main" }, { branchName: "b" }];
      const answer = await call(client, "create_workspace", {
        deviceId: device.id,
        projectId: anyId,
        workspaces,
      });
      expect(answer.isError).toBe(false);
      expect(answer.data).toEqual({ deviceId: device.id, projectId: anyId, workspaces: [made, failed] });
      expect(seen.map(({ tool, params }) => ({ tool, params }))).toEqual([
        { tool: "create_workspace", params: { projectId: anyId, workspaces } },
      ]);
    });
  });

  it("reports an error if all items failed, with each one's reason", async () => {
    const item = (name: string, reason: string) => ({
      name,
      alreadyExisted: false,
      error: { reason, message: `Not ${name}.` },
    });
    const script = ({ params }: Delivered) => {
      const names = (params.workspaces as { name: string }[]).map(({ name }) => name);
      return {
        result: { workspaces: names.map((name) => item(name, name === "c" ? "no_base" : "branch_exists")) },
      };
    };
    await withDevice(script, async (device, tenant) => {
      const client = await connectAs(tenant);
      const create = (...names: string[]) =>
        call(client, "create_workspace", {
          deviceId: device.id,
          projectId: anyId,
          workspaces: names.map((name) => ({ name })),
        });
      expect(await create("a", "b")).toEqual({
        isError: true,
        text:
          'branch_exists: No workspace was created. "a": branch_exists: "Not a."; "b": branch_exists: "Not b.". ' +
          "Correct what each reason names, then call create_workspace again.",
        data: undefined,
      });
      expect((await create("a", "c")).text).toMatch(/^all_failed: No workspace was created\./);
    });
  });

  it("passes on a device's own reason, and guesses none", async () => {
    const answers: Record<string, Answer> = {
      get_app_context: { error: { reason: "git_missing", message: "There is no git on this machine." } },
      list_workspaces: { result: { workspaces: "many" } },
    };
    await withDevice(
      ({ tool }) => answers[tool] ?? { result: null },
      async (device, tenant) => {
        const client = await connectAs(tenant);
        const failed = await call(client, "get_app_context");
        expect(failed.isError).toBe(true);
        expect(failed.text).toBe("git_missing: There is no git on this machine.");
        const [commandId] = device.begun;
        expect((await call(client, "get_command", { commandId })).data).toMatchObject({
          commandId,
          deviceId: device.id,
          tool: "get_app_context",
          status: "failed",
          error: { reason: "git_missing" },
        });
        expect((await call(client, "list_workspaces")).text).toMatch(
          /^device_answer_invalid: Device \S+ returned a result/,
        );
      },
    );
  });

  it("reports when and why a device went offline, and which tool it does not have", async () => {
    await withDevice(
      () => ({ result: null }),
      async (device, tenant) => {
        const client = await connectAs(tenant);
        const never = await TestDevice.register(api, tenant, "never");
        expect((await call(client, "get_app_context", { deviceId: never.id })).text).toBe(
          `device_offline: Device ${never.id} is offline (never_connected, never seen). Start \`grove-device\` on that ` +
            "machine, or choose another device: list_devices with status online.",
        );
        const missing = await call(client, "list_projects", { deviceId: device.id });
        expect(missing.text).toMatch(
          /^unsupported_tool: The device "workbench" runs grove-device 1\.0\.0, which has no tool/,
        );
      },
      ["get_app_context"],
    );
  });
});
