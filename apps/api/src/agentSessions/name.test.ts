import { newId } from "@grove/db";
import type { OrganizationEvent } from "@grove/schemas";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { begin } from "../testing/device";
import { addMember, projectFields } from "../testing/fixtures";
import { useOwnDevices } from "../testing/ownDevices";
import { failure, useTestServer } from "../testing/server";
import { watch } from "../testing/watch";

const server = await useTestServer();
const ada = await server.signUp("Ada");
const bob = await server.signUp("Bob");
const { organizationId } = ada;
await addMember(server, organizationId, bob, "member");
const { online } = useOwnDevices(server, ada);

/** A session that began for a command with these parameters, or without a command. */
async function started(params?: { prompt?: string; taskId?: string }) {
  const { id: deviceId, device } = await online({ capabilities: ["start_agent_session"] });
  const workspace = { id: newId(), name: "tree", type: "worktree" as const, config: {} };
  await device.client.workspace.ensure.mutate({ organizationId, project: projectFields(), workspace });
  const start = { id: newId(), journalId: device.journalId, workspaceId: workspace.id, agent: "claude" };
  let commandId: string | undefined;
  if (params) {
    const tool = "start_agent_session";
    const target = { organizationId, deviceId, tool, waitMs: 0 } as const;
    const command = { ...target, params: { workspaceId: workspace.id, ...params } };
    commandId = (await ada.client.agent.execute.mutate(command)).id;
    await begin(await device.event("command"), device);
  }
  const { reportSession } = device.client.agent;
  await reportSession.mutate({ type: "start", ...start, commandId });
  const key = { organizationId, id: start.id };
  const read = (by = ada) => by.client.agent.getSession.query(key);
  return { key, read, report: reportSession.mutate };
}

it("names a session after its task, otherwise after the first line of its prompt", async () => {
  const { id: taskId } = await ada.client.task.create.mutate({ organizationId, title: "Fix the login" });
  const nameOf = async (params?: Parameters<typeof started>[0]) =>
    (await (await started(params)).read()).name;
  expect(await nameOf({ taskId, prompt: "do it" })).toBe("Fix the login");
  expect(await nameOf({ prompt: "\n \n  Add\ta\u202e test\u0007 \nand more" })).toBe("Add a test");
  expect(await nameOf({ prompt: "x".repeat(300) })).toBe("x".repeat(200));
  expect(await nameOf({ prompt: " \n" })).toBeNull();
  expect(await nameOf({})).toBeNull();
  expect(await nameOf()).toBeNull();
});

it("shows a session's name and last line only to users who may read its output", async () => {
  const { key, read, report } = await started({ prompt: "Add a test" });
  await report({ type: "output", id: key.id, sequence: 1, data: "hello\r\n" });
  expect(await read()).toMatchObject({ name: "Add a test", lastLine: "hello" });
  expect(await read(bob)).toMatchObject({ name: null, lastLine: null });
  const seen = await bob.client.agent.listSessions.query({ organizationId });
  expect(seen.find(({ id }) => id === key.id)).toMatchObject({ name: null, lastLine: null });
});

it("keeps the last line of the output, even if the line arrives in pieces", async () => {
  const { key, read, report } = await started({});
  let sequence = 0;
  const lastLineAfter = async (...chunks: string[]) => {
    for (const data of chunks) await report({ type: "output", id: key.id, sequence: ++sequence, data });
    return (await read()).lastLine;
  };
  expect((await read()).lastLine).toBeNull();
  expect(await lastLineAfter("\r\n", " ")).toBeNull();
  expect(await lastLineAfter("\u001b[32mone\u001b[0m\r\ntw", "o", " ", "three")).toBe("two three");
  expect(await lastLineAfter("\r\n", "\r\n")).toBe("two three");
  expect(await lastLineAfter("four")).toBe("four");
  expect(await lastLineAfter("x".repeat(300), "y\n", "\n", "five\n")).toBe("five");
  await report({ type: "waiting", id: key.id, waitingForInput: true, questionText: "Allow it?\n❯ 1. Yes\n" });
  expect((await read()).lastLine).toBe("❯ 1. Yes");
  expect(await lastLineAfter("six")).toBe("six");
  await report({ type: "end", id: key.id, status: "exited", exitCode: 0 });
  expect((await read()).lastLine).toBe("six");
});

it("renames a session, also one that ended long ago, and reports it to watchers", async () => {
  const { key, read, report } = await started({ prompt: "Add a test" });
  await report({ type: "end", id: key.id, status: "exited", exitCode: 0 });
  await sql`update agent_sessions set ended_at = now() - interval '1 hour' where id = ${key.id}`.execute(
    server.database.db,
  );
  const watcher = watch<OrganizationEvent>((handlers) =>
    ada.client.organization.watch.subscribe({ organizationId }, handlers),
  );
  await watcher.ready();
  const renamed = await ada.client.agent.renameSession.mutate({ ...key, name: "  Login " });
  expect(renamed).toEqual({ ...(await read()), name: "Login" });
  await watcher.event((event) => event.type === "session" && event.session.name === "Login");
  watcher.stop();
  const [audited] = await ada.client.organization.listAuditEvents.query({ organizationId });
  expect(audited).toMatchObject({ action: "agent.renameSession", targetId: key.id, metadata: {} });
});

it("is renamed only by users who may stop it, and to a visible line", async () => {
  const { key, read } = await started({ prompt: "Add a test" });
  const rename = (by: typeof ada, name: string) =>
    failure(by.client.agent.renameSession.mutate({ ...key, name }));
  expect(await rename(bob, "mine")).toMatchObject({ code: "FORBIDDEN" });
  for (const name of [" ", "two\nlines", "a\u202eb", "x".repeat(201)])
    expect(await rename(ada, name)).toMatchObject({ code: "BAD_REQUEST" });
  const missing = ada.client.agent.renameSession.mutate({ organizationId, id: newId(), name: "x" });
  expect(await failure(missing)).toMatchObject({ code: "NOT_FOUND" });
  expect((await read()).name).toBe("Add a test");
});
