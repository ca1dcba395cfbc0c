import { createClient, errorData } from "@grove/client";
import { startMcpServer } from "@grove/testing/mcpClient";
import { until } from "@grove/testing/until";
import { beforeAll, expect, it } from "vitest";
import { mcpCloud } from "../support/programs";
import { askUntilSettled, newRequest, submit } from "./world/caller";
import { check } from "./world/check";
import type { ApiInstance, Cloud } from "./world/cloud";
import type { DeviceMachine, Project } from "./world/device";
import { useScene } from "./world/scene";
import { Work } from "./world/work";

// Two API processes on one PostgreSQL: the device's line leads to the first, callers ask the second.
const scene = useScene(2);
let cloud: Cloud;
let first: ApiInstance;
let second: ApiInstance;
let device: DeviceMachine;
let project: Project;
let next = 0;

beforeAll(async () => {
  ({ cloud } = scene);
  [first, second] = cloud.instances as [ApiInstance, ApiInstance];
  device = await scene.device("device");
  await device.connect();
  project = await device.addWork("work", 10);
  scene.atEnd(() => project.work.release());
});

const onSecond = () => cloud.client(second);

/** Asks the second instance for work that the test ends later, and resolves when it has begun. */
async function begin() {
  const asked = newRequest(project, next++);
  await project.work.hold(asked.n);
  await submit(cloud, asked, {}, onSecond());
  await until(async () => (await project.work.begun()).includes(asked.n), "the work has begun");
  return asked;
}

it("a command crosses to the device and its result comes back", async () => {
  const asked = await askUntilSettled(cloud, newRequest(project, next++), {}, onSecond);
  expect(asked.answer).toMatchObject({ status: "succeeded", attempt: 1 });
  expect(await check(cloud, [asked])).toEqual([]);
});

it("a cancel crosses too, and leaves nothing half-made", async () => {
  const asked = await begin();
  await onSecond().agent.cancelCommand.mutate({
    organizationId: cloud.organizationId,
    id: asked.commandId ?? "",
  });
  const { answer } = await askUntilSettled(cloud, asked, {}, onSecond);
  expect(answer).toMatchObject({ status: "canceled" });
  expect(await check(cloud, [asked])).toEqual([]);
});

it.each([
  ["the device's", () => first],
  ["the caller's", () => second],
])(
  "work continues when %s instance is killed, and its end is reported by the other or the next",
  async (_whose, which) => {
    const asked = await begin();
    const settled = askUntilSettled(cloud, asked, {}, onSecond);
    await which().kill();
    await project.work.release(asked.n);
    await which().listen();
    expect((await settled).answer).toMatchObject({ status: "succeeded" });
    expect(await check(cloud, [asked])).toEqual([]);
  },
);

it("an instance that shuts down gives its waiting callers the command's id", async () => {
  const asked = newRequest(project, next++);
  await project.work.hold(asked.n);
  const waiting = submit(cloud, asked, { waitMs: 55_000 }, onSecond()).catch((error: unknown) => error);
  await until(async () => (await project.work.begun()).includes(asked.n), "the work has begun");
  await second.kill("SIGTERM");
  const [row] = await cloud.query("select id from device_commands order by created_at desc limit 1");
  expect(errorData(await waiting)).toMatchObject({
    code: "SERVICE_UNAVAILABLE",
    reason: "server_draining",
    details: { commandId: row?.id },
  });
  await second.listen();
  await project.work.release(asked.n);
  expect((await askUntilSettled(cloud, asked, {}, onSecond)).answer).toMatchObject({
    id: row?.id,
    status: "succeeded",
  });
  expect(await check(cloud, [asked])).toEqual([]);
});

const statusOnSecond = async () =>
  (await onSecond().device.get.query({ organizationId: cloud.organizationId, id: device.id })).status;

/** Lets the time pass in which the first instance's lease runs out, if it is not renewed. */
const passLease = () =>
  cloud.query(
    `update api_instances set lease_until = lease_until - interval '15 seconds'
    where id = (select instance_id from devices where id = $1)`,
    [device.id],
  );

it("the devices of a killed instance are offline by the clock alone", async () => {
  const row = "select xmin, ctid from devices where id = $1";
  const before = await cloud.query(row, [device.id]);
  await first.kill();
  expect(await statusOnSecond()).toBe("online");
  await passLease();
  expect(await statusOnSecond()).toBe("offline");
  expect(await cloud.query(row, [device.id])).toEqual(before);
  await first.listen();
  await device.untilReached();
});

it("a frozen instance shows no device online, and claims nothing before its devices have answered again", async () => {
  first.pause();
  await passLease();
  expect(await statusOnSecond()).toBe("offline");
  const asked = newRequest(project, next++);
  expect(await submit(cloud, asked, {}, onSecond())).toMatchObject({ status: "queued", attempt: 0 });
  first.resume();
  await until(async () => (await statusOnSecond()) === "online", "the device has answered again");
  expect((await askUntilSettled(cloud, asked, {}, onSecond)).answer).toMatchObject({
    status: "succeeded",
    attempt: 1,
  });
  expect(first.output).toContain("the lease of this instance had expired");
  expect(await check(cloud, [asked])).toEqual([]);
});

it("mcp-cloud continues with the same command despite that", async () => {
  const asked = newRequest(project, next++);
  await project.work.hold(asked.n);
  const agent = await startMcpServer({
    command: process.execPath,
    args: [mcpCloud],
    env: { API_URL: second.url, API_KEY: cloud.apiKey },
  });
  const call = agent.callTool({
    name: "create_workspace",
    arguments: {
      deviceId: device.id,
      projectId: project.id,
      workspaces: [{ baseBranch: Work.base(asked.n) }],
    },
  });
  await until(async () => (await project.work.begun()).includes(asked.n), "the work has begun");
  await second.kill("SIGTERM");
  await second.listen();
  await project.work.release(asked.n);
  const result = await call;
  expect(result.isError ?? false).toBe(false);
  const effects = await project.work.effects();
  expect(result.structuredContent).toMatchObject({
    workspaces: [{ path: effects.get(asked.n)?.paths[0], alreadyExisted: false }],
  });
  expect(effects.get(asked.n)?.paths).toHaveLength(1);
  await agent.close();
});

it("a device whose instance never returns is reached through another one", async () => {
  const client = createClient({ apiUrl: second.url, token: cloud.apiKey });
  const moved = await scene.device("moved", { instance: second });
  await moved.connect();
  const work = await moved.addWork("moved work", 1);
  await first.kill();
  const asked = await askUntilSettled(cloud, newRequest(work, 0), {}, () => client);
  expect(asked.answer).toMatchObject({ status: "succeeded" });
  await first.listen();
  expect(await check(cloud, [asked])).toEqual([]);
});
