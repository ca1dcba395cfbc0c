import { type Tenant, useApi } from "@grove/test-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Waits } from "../api/waits";
import { call, connectWithin } from "../testing/client";
import { type Answer, type Delivered, TestDevice } from "../testing/device";

/** A call while a device works: progress, deadline, cancellation, and an API that becomes unreachable. */

const api = useApi();
let tenant: Tenant;
let device: TestDevice;

/** A command that the device has begun and the test ends. */
interface Work extends Delivered {
  finish(answer: Answer): void;
}

let onWork: (work: Work) => void;
const nextWork = () =>
  new Promise<Work>((resolve) => {
    onWork = resolve;
  });

beforeAll(async () => {
  tenant = await api.signUp("ada");
  device = await TestDevice.register(
    api,
    tenant,
    "bench",
    (command) =>
      new Promise((finish) => {
        onWork({ ...command, finish });
      }),
  );
  await device.connect();
});
afterAll(() => device.disconnect());

const connect = (waits?: Partial<Waits>) =>
  connectWithin({
    apiUrl: api.url,
    apiKey: tenant.apiKey,
    waits,
  });
const projectId = "0199aaaa-0000-7000-8000-000000000001";
const create = () => ({
  deviceId: device.id,
  projectId,
  workspaces: [{ name: "a" }],
});
const made = {
  workspaces: [{ id: projectId, name: "a", branch: "a", path: "/w/a", alreadyExisted: false }],
};
const commandStatus = async (id: string, waitMs = 10_000) =>
  (await tenant.client.agent.getCommand.query({ organizationId: tenant.organizationId, id, waitMs })).status;

describe("a call that waits for a device", () => {
  it("reports the device's progress to a client that asked for it", async () => {
    const client = await connect({ firstMs: 50, nextMs: 50 });
    const begun = nextWork();
    const lines: unknown[] = [];
    let heard = () => {};
    const halfWay = new Promise<void>((resolve) => {
      heard = resolve;
    });
    const answer = client.callTool({ name: "create_workspace", arguments: create() }, undefined, {
      onprogress: ({ message, progress }) => {
        lines.push(message);
        if (message === "cloned" && progress >= 0.5) heard();
      },
    });
    const work = await begun;
    await work.progress("cloned", 0.5);
    await halfWay;
    work.finish({ result: made });
    expect((await answer).structuredContent).toMatchObject(made);
  });

  it("answers at its deadline with the command's id and status, and get_command takes over", async () => {
    const client = await connect({ deadlineMs: 2_000 });
    const begun = nextWork();
    const answer = call(client, "create_workspace", create());
    const work = await begun;
    await work.progress("cloning");
    const { isError, data } = await answer;
    expect(isError).toBe(false);
    expect(data).toEqual({
      deviceId: device.id,
      projectId,
      pending: { commandId: work.id, status: "running", progress: "cloning" },
    });
    const soon = await call(client, "get_command", { commandId: work.id });
    expect(soon.data).toMatchObject({ status: "running", waitEnded: "still_running", progress: "cloning" });
    const later = call(client, "get_command", { commandId: work.id, waitMs: 20_000 });
    work.finish({ result: made });
    expect((await later).data).toMatchObject({
      status: "succeeded",
      waitEnded: null,
      result: made,
      error: null,
    });
  });

  it("fails, as the tool does, if get_command finds that nothing was made", async () => {
    const client = await connect({ deadlineMs: 300 });
    const begun = nextWork();
    const answer = call(client, "create_workspace", create());
    const work = await begun;
    await answer;
    const error = { reason: "setup_failed", message: "It failed." };
    work.finish({ result: { workspaces: [{ name: "a", alreadyExisted: false, error }] } });
    const found = await call(client, "get_command", { commandId: work.id, waitMs: 20_000 });
    expect(found).toMatchObject({
      isError: true,
      text: 'setup_failed: No workspace was created. "a": setup_failed: "It failed.". Correct what each reason names, then call create_workspace again.',
    });
  });

  it("can be canceled while it is pending", async () => {
    const client = await connect({ deadlineMs: 300 });
    const begun = nextWork();
    const answer = call(client, "create_workspace", create());
    const work = await begun;
    await answer;
    const canceled = call(client, "cancel_command", { commandId: work.id });
    if (!work.canceled.aborted)
      await new Promise((resolve) => work.canceled.addEventListener("abort", resolve));
    work.finish({ canceled: true });
    const found = { commandId: work.id, tool: "create_workspace", status: "canceled" };
    expect((await canceled).data).toEqual(found);
    expect((await call(client, "cancel_command", { commandId: work.id })).data).toEqual(found);
  });

  it.each([
    ["the first request waits", { firstMs: 30_000 }],
    ["a later request waits", { firstMs: 20, nextMs: 30_000 }],
  ])("cancels the command with the call, while %s", async (_when, waits) => {
    const client = await connect(waits);
    const begun = nextWork();
    const stop = new AbortController();
    const answer = client.callTool({ name: "create_workspace", arguments: create() }, undefined, {
      signal: stop.signal,
      // The first progress arrives when the first request has ended.
      onprogress: () => stop.abort("no longer needed"),
    });
    const refused = expect(answer).rejects.toThrow("no longer needed");
    const work = await begun;
    if (waits.firstMs === 30_000) stop.abort("no longer needed");
    await refused;
    const canceled = new Promise((resolve) => work.canceled.addEventListener("abort", resolve));
    if (!work.canceled.aborted) await canceled;
    work.finish({ canceled: true });
    expect(await commandStatus(work.id)).toBe("canceled");
  });

  it.each(["SIGTERM", "SIGKILL"] as const)(
    "continues with the same command when the API restarts (%s)",
    async (signal) => {
      const client = await connect({ firstMs: 30_000 });
      const begun = nextWork();
      const before = device.begun.length;
      const answer = call(client, "create_workspace", create());
      const work = await begun;
      await api.stop(signal);
      device.disconnect();
      await api.start();
      await device.connect();
      work.finish({ result: made });
      expect((await answer).data).toMatchObject(made);
      expect(device.begun.slice(before)).toEqual([work.id]);
    },
  );

  it("reports what is known if the API stays away", async () => {
    const client = await connect({ firstMs: 20, nextMs: 30_000, deadlineMs: 3_000 });
    const begun = nextWork();
    let hear = () => {};
    const heard = new Promise<void>((resolve) => {
      hear = resolve;
    });
    const tool = { name: "create_workspace", arguments: create() };
    const answer = client.callTool(tool, undefined, { onprogress: hear });
    const [work] = await Promise.all([begun, heard]);
    await api.stop("SIGKILL");
    const { content, isError } = await answer;
    expect(isError).toBe(true);
    expect(content).toEqual([
      {
        type: "text",
        text:
          `outcome_unknown: The API became unreachable while command ${work.id} (create_workspace) was running. ` +
          `Call get_command with commandId ${work.id} later.`,
      },
    ]);
    const next = await call(client, "list_devices");
    expect(next.text).toMatch(`api_unreachable: The Grove API at ${api.url} cannot be reached`);
  });
});
