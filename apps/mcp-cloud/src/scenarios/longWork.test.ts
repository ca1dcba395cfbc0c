import { type Tenant, useApi } from "@grove/test-api";
import { Client, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import {
  createTaskSessionFromClient,
  type RawClientDispatch,
  resultFromTaskOutcome,
} from "@modelcontextprotocol/ext-tasks/client";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { program } from "../testing/client";
import { type Answer, TestDevice } from "../testing/device";

/** Work of a device that outlives its request: a task, for a client that knows the tasks extension. */

const api = useApi();
let tenant: Tenant;
let device: TestDevice;
let finish: (answer: Answer) => void;
let canceled: AbortSignal;
beforeAll(async () => {
  tenant = await api.signUp("ada");
  device = await TestDevice.register(api, tenant, "bench", (command) => {
    canceled = command.canceled;
    return new Promise((resolve) => {
      finish = resolve;
    });
  });
  await device.connect();
});
afterAll(() => device.disconnect());

const clientInfo = { name: "test", version: "1" };
const framing = {
  protocolVersion: "2026-07-28",
  clientInfo,
  clientCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } },
};

/** Connects the SDK's client to the built server. Adds the requests of the tasks extension, as its package requires. */
async function connect() {
  const env = { API_URL: api.url, API_KEY: tenant.apiKey, LOG_LEVEL: "error" };
  const transport = new StdioClientTransport({ command: process.execPath, args: [program], env });
  const client = new Client(clientInfo, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  onTestFinished(() => client.close());
  await client.connect(transport);
  const waiting = new Map<unknown, (answer: never) => void>();
  const { onmessage } = transport;
  transport.onmessage = (message: JSONRPCMessage) => {
    const resolve = "id" in message && !("method" in message) ? waiting.get(message.id) : undefined;
    if (resolve) resolve(message as never);
    else onmessage?.(message);
  };
  const rawDispatch: RawClientDispatch = (request) =>
    new Promise((resolve) => {
      const id = crypto.randomUUID();
      waiting.set(id, resolve);
      void transport.send({ jsonrpc: "2.0", id, ...(request as object) } as JSONRPCMessage);
    });
  const session = createTaskSessionFromClient(client, {
    endpointId: "grove",
    rawDispatch,
    v2RequestFraming: framing,
  });
  onTestFinished(() => session.close());
  return session;
}

const startLong = async () => (await connect()).callTool("list_workspaces", { deviceId: device.id });

it("becomes a task, which ends with the tool's result", async () => {
  const execution = await startLong();
  expect(execution.kind).toBe("task");
  finish({ result: { workspaces: [] } });
  const { outcome } = await execution.settle();
  expect(resultFromTaskOutcome(outcome)).toMatchObject({ structuredContent: { workspaces: [], total: 0 } });
});

it("is canceled on the device with its task", async () => {
  const execution = await startLong();
  await execution.cancel();
  await expect.poll(() => canceled.aborted, { timeout: 5_000 }).toBe(true);
  finish({ canceled: true });
});
