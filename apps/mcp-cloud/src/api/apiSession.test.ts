import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { createLogger } from "@grove/mcp";
import { type Tenant, useApi } from "@grove/test-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, connectWithin } from "../testing/client";
import { type Answer, TestDevice } from "../testing/device";
import { ApiProxy } from "../testing/proxy";
import { type ApiContext, ApiSession } from "./apiSession";

const api = useApi();
let ada: Tenant;
let proxy: ApiProxy;
beforeAll(async () => {
  ada = await api.signUp("ada");
  proxy = await ApiProxy.start(api.url);
});
afterAll(() => proxy.close());

const WHO = "user.get,organization.list";
const asked = (what: string) => proxy.asked.filter((path) => path === what).length;

describe("the identity behind the key", () => {
  it("is looked up once for concurrent calls, and again after the key was refused", async () => {
    proxy.asked.length = 0;
    const { organizationId } = ada;
    const { key, id } = await ada.client.apiKey.create.mutate({ organizationId, name: "short-lived" });
    const client = await connectWithin({ apiUrl: proxy.url, apiKey: key });
    expect(proxy.asked).toEqual([]);
    await Promise.all(["list_devices", "list_projects", "list_devices"].map((name) => call(client, name)));
    await call(client, "list_projects");
    expect(asked(WHO)).toBe(1);
    await ada.client.apiKey.revoke.mutate({ organizationId, id });
    for (const _ of [1, 2])
      expect((await call(client, "list_projects")).text).toBe("Authentication required");
    expect(asked(WHO)).toBe(2);
  });
});

describe("an API that does not answer", () => {
  let silent: Server;
  let connections: Promise<unknown>;
  let cloud: ApiSession;
  beforeAll(async () => {
    silent = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as { port: number };
    cloud = new ApiSession({ apiUrl: `http://127.0.0.1:${port}`, apiKey: "grk_any" });
    connections = once(silent, "connection");
  });
  afterAll(() => {
    silent.close();
  });
  const context = (signal = new AbortController().signal): ApiContext => ({
    app: cloud,
    signal,
    log: createLogger("silent"),
    progress: () => undefined,
    startedAt: performance.now(),
    timeMs: 60_000,
  });

  it("times out, with its address", async () => {
    const list = cloud.call(context(), async () => "never", { timeoutMs: 50 });
    await expect(list).rejects.toMatchObject({
      code: "api_timeout",
      message: expect.stringMatching(
        /^The Grove API at http:\/\/127\.0\.0\.1:\d+ did not answer a request within 0\.05 s$/,
      ),
    });
  });

  it("does not hold up a canceled call", async () => {
    await connections;
    const stop = new AbortController();
    const list = cloud.call(context(stop.signal), async () => "never");
    stop.abort(new Error("canceled by the client"));
    await expect(list).rejects.toThrow("canceled by the client");
  });
});

describe("a lost answer", () => {
  it("is requested again, and no second task is made", async () => {
    const client = await connectWithin({ apiUrl: proxy.url, apiKey: ada.apiKey });
    await call(client, "list_tasks");
    proxy.loseAnswerOf("task.create");
    expect((await call(client, "create_task", { title: "Only once" })).data).toMatchObject({
      slug: "only-once",
    });
    expect((await call(client, "list_tasks", { search: "Only once" })).data).toMatchObject({ total: 1 });
    proxy.loseAnswerOf("task.list,task.count");
    expect((await call(client, "list_tasks", { search: "Only once" })).data).toMatchObject({ total: 1 });
  });

  it("that stays lost reports that the task may exist, and how to check", async () => {
    const client = await connectWithin({ apiUrl: proxy.url, apiKey: ada.apiKey });
    proxy.loseAnswerOf("task.create", Number.POSITIVE_INFINITY);
    const { text } = await call(client, "create_task", { title: "Unheard of" });
    proxy.loseAnswerOf("");
    expect(text).toBe(
      "outcome_unknown: The API became unreachable before it answered; the request may or may not have been carried out. list_tasks with its title as search shows whether it exists.",
    );
    expect((await call(client, "list_tasks", { search: "Unheard of" })).data).toMatchObject({ total: 1 });
  });

  it("to a deletion reports that it may have been done, and how to check", async () => {
    const client = await connectWithin({ apiUrl: proxy.url, apiKey: ada.apiKey });
    const { data } = await call(client, "create_task", { title: "Going" });
    proxy.loseAnswerOf("task.delete");
    expect((await call(client, "delete_task", { taskId: data?.slug })).text).toBe(
      `outcome_unknown: The API became unreachable before it answered; the request may or may not have been carried out. get_task with taskId ${data?.id} shows whether it still exists.`,
    );
  });
});

describe("a connection that breaks while a device works", () => {
  it("is made again, for the same command", async () => {
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    let finish: (answer: Answer) => void = () => {};
    const device = await TestDevice.register(
      api,
      ada,
      "bench",
      () =>
        new Promise<Answer>((resolve) => {
          finish = resolve;
          begin();
        }),
    );
    await device.connect();
    proxy.asked.length = 0;
    const waits = { firstMs: 30_000 };
    const client = await connectWithin({ apiUrl: proxy.url, apiKey: ada.apiKey, waits });
    const answer = call(client, "list_workspaces", { deviceId: device.id });
    await begun;
    proxy.cut();
    finish({ result: { workspaces: [] } });
    expect((await answer).data).toMatchObject({ workspaces: [], total: 0 });
    expect(asked("agent.execute")).toBe(2);
    expect(device.begun).toHaveLength(1);
    device.disconnect();
  });
});
