import { TRPCClientError } from "@trpc/client";
import { TRPCError } from "@trpc/server";
import { createTRPCClient as createOther, httpLink as otherLink } from "earliest-trpc-client";
import { expect, it } from "vitest";
import { type ClientOptions, createClient, errorData } from "./index";
import { serve, t } from "./testing";

const organizationId = "0198a000-0000-7000-8000-000000000001";
const command = { organizationId, deviceId: organizationId, tool: "list_projects", params: {} };

/** A few procedures with names of the API, enough to see how calls travel. */
const router = t.router({
  user: t.router({ get: t.procedure.query(() => ({ name: "Ada" })) }),
  organization: t.router({
    list: t.procedure.query(() => []),
    create: t.procedure.mutation(() => {
      throw new TRPCError({ code: "CONFLICT", message: "There is one already." });
    }),
  }),
  agent: t.router({
    execute: t.procedure.mutation(() => ({ status: "succeeded" })),
    getCommand: t.procedure.query(() => ({ status: "running" })),
    stopSession: t.procedure.mutation(() => ({ success: true })),
  }),
  device: t.router({
    connect: t.procedure.subscription(async function* () {
      yield { type: "drain" };
    }),
  }),
});

const start = async (options: Partial<ClientOptions> = {}, prefix = "") => {
  const { apiUrl, seen } = await serve(router, prefix);
  return { client: createClient({ apiUrl, token: "grk_secret", ...options }), seen, apiUrl };
};

// Contract: api.path
it("sends the calls of a tick in one request, with the credential", async () => {
  const { client, seen } = await start();
  await Promise.all([client.user.get.query(), client.organization.list.query()]);
  expect(seen).toEqual([
    {
      method: "GET",
      path: "/api/trpc/user.get,organization.list",
      calls: ["user.get", "organization.list"],
      authorization: "Bearer grk_secret",
    },
  ]);
});

it("names the device that a command is for, and nothing that is not an id", async () => {
  const { client, seen } = await start();
  await client.agent.execute.mutate(command);
  await client.agent.execute.mutate({ ...command, deviceId: "a\r\nb" });
  await client.user.get.query();
  expect(seen.map(({ device }) => device)).toEqual([command.deviceId, undefined, undefined]);
});

it("asks for the current credential before each request", async () => {
  let token: string | undefined = "grs_first";
  const { client, seen } = await start({ token: () => token });
  await client.user.get.query();
  token = "grs_second";
  await client.user.get.query();
  token = undefined;
  await client.user.get.query();
  expect(seen.map(({ authorization }) => authorization)).toEqual([
    "Bearer grs_first",
    "Bearer grs_second",
    undefined,
  ]);
});

it("splits a batch that is larger than the server accepts", async () => {
  const { client, seen } = await start();
  const users = await Promise.all(Array.from({ length: 250 }, () => client.user.get.query()));
  expect(users).toHaveLength(250);
  expect(seen.flatMap(({ calls }) => calls)).toHaveLength(250);
  expect(Math.max(...seen.map(({ calls }) => calls.length))).toBeLessThanOrEqual(100);
});

it("sends calls that wait for a device alone, so that no other answer waits with them", async () => {
  const { client, seen } = await start();
  await Promise.all([
    client.user.get.query(),
    client.agent.execute.mutate(command),
    client.agent.getCommand.query({ organizationId, id: organizationId }),
    client.agent.stopSession.mutate({ organizationId, id: organizationId }),
    client.organization.list.query(),
  ]);
  expect(seen.map(({ calls }) => calls.toSorted()).toSorted()).toEqual([
    ["agent.execute"],
    ["agent.getCommand"],
    ["agent.stopSession"],
    ["organization.list", "user.get"],
  ]);
});

it("also sends the credential with a subscription", async () => {
  const { client, seen } = await start();
  const connection = { journalId: organizationId, agentVersion: "1.0.0", capabilities: [] };
  const event = await new Promise((resolve, reject) => {
    const subscription = client.device.connect.subscribe(connection, {
      onData: (data) => {
        subscription.unsubscribe();
        resolve(data);
      },
      onError: reject,
    });
  });
  expect(event).toMatchObject({ type: "drain" });
  expect(seen[0]).toMatchObject({ calls: ["device.connect"], authorization: "Bearer grk_secret" });
});

it("sends no credential when there is none, so that a browser's cookie counts", async () => {
  const { client, seen } = await start({ token: undefined });
  await client.user.get.query();
  expect(seen[0]?.authorization).toBeUndefined();
});

it.each(["", "/"])("finds an API below a path that ends with %j", async (end) => {
  const { apiUrl, seen } = await start({}, "/grove");
  await createClient({ apiUrl: apiUrl + end }).user.get.query();
  expect(seen[0]?.path).toBe("/grove/api/trpc/user.get");
});

it("returns the API's data about a failed call", async () => {
  const { client } = await start();
  const error = await client.organization.create.mutate({ name: "Grove" }).catch((reason: unknown) => reason);
  expect(errorData(error)).toMatchObject({ code: "CONFLICT", httpStatus: 409, path: "organization.create" });
});

it("also returns it for an error of another copy of tRPC", async () => {
  const { apiUrl } = await start();
  const other = createOther<typeof router>({ links: [otherLink({ url: `${apiUrl}/api/trpc` })] });
  const error = await other.organization.create.mutate().catch((reason: unknown) => reason);
  expect(error).not.toBeInstanceOf(TRPCClientError);
  expect(errorData(error)).toMatchObject({ code: "CONFLICT", httpStatus: 409, path: "organization.create" });
});

it("returns no data when no API answered", async () => {
  // Connections to port 9 (discard) are refused.
  const client = createClient({ apiUrl: "http://127.0.0.1:9" });
  const error = await client.user.get.query().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(errorData(error)).toBeUndefined();
  expect(errorData(new Error("other"))).toBeUndefined();
});
