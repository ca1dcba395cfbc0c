import { newId } from "@grove/db";
import type { AnyProcedure } from "@trpc/server";
import { describe, expect, it } from "vitest";
import { appRouter } from "./router";
import { projectFields } from "./testing/fixtures";
import { useTestServer } from "./testing/server";
import { createWorld, identities, type World } from "./testing/world";
import type { Meta } from "./trpc";

interface Entry {
  /** The outcome for each of {@link identities}, in that order: `ok` or an HTTP status. */
  outcomes: string;
  /** A valid input, made anew for each call. */
  input(world: World): unknown;
  /** The same in the stranger's own organization, naming the first one's rows: must answer 404. */
  foreign?(world: World): unknown;
}

const server = await useTestServer();
const world = await createWorld(server);
const procedures = appRouter._def.procedures as unknown as Record<string, AnyProcedure>;

const workspace = (id = newId()) => ({ id, name: "matrix", type: "worktree", config: {} });
const inOrganization = ({ organizationId }: World) => ({ organizationId });
const ofStranger = ({ stranger }: World) => ({ organizationId: stranger.organizationId });

//                         nobody str  site memb adm  own  read writ exp  rev  dev  sdev
const people = /*       */ "401  ok   ok   ok   ok   ok   ok   ok   401  401  401  401";
const sessions = /*     */ "401  ok   ok   ok   ok   ok   403  403  401  401  401  401";
const memberReads = /*  */ "401  403  403  ok   ok   ok   ok   ok   401  401  401  401";
const memberWrites = /* */ "401  403  403  ok   ok   ok   403  ok   401  401  401  401";
const deviceReads = /*  */ "401  403  403  ok   ok   ok   ok   ok   401  401  ok   403";
const deviceWrites = /* */ "401  403  403  ok   ok   ok   403  ok   401  401  ok   403";
const memberSession = /**/ "401  403  403  ok   ok   ok   403  403  401  401  401  401";
const devices = /*      */ "401  403  403  403  403  403  403  403  401  401  ok   ok";
const thatDevice = /*   */ "401  403  403  403  403  403  403  403  401  401  ok   404";

const matrix: Record<string, Entry> = {
  "user.get": { outcomes: people, input: () => undefined },
  "organization.create": { outcomes: sessions, input: () => ({ name: "Orchard" }) },
  "organization.list": { outcomes: people, input: () => undefined },
  "project.create": {
    outcomes: deviceWrites,
    input: (world) => ({ ...inOrganization(world), ...projectFields() }),
  },
  "project.list": { outcomes: deviceReads, input: inOrganization },
  "project.get": {
    outcomes: deviceReads,
    input: (world) => ({ ...inOrganization(world), id: world.project.id }),
    foreign: (world) => ({ ...ofStranger(world), id: world.project.id }),
  },
  "workspace.ensure": {
    outcomes: deviceWrites,
    input: (world) => ({ ...inOrganization(world), project: projectFields(), workspace: workspace() }),
  },
  "workspace.create": {
    outcomes: memberWrites,
    input: ({ organizationId, project }) => {
      const { id: _, ...fields } = workspace();
      return { organizationId, projectId: project.id, ...fields };
    },
    foreign: ({ stranger, project }) => {
      const { id: _, ...fields } = workspace();
      return { organizationId: stranger.organizationId, projectId: project.id, ...fields };
    },
  },
  "workspace.delete": {
    // The member's workspace, which is on no device: theirs, and the admins' to delete.
    outcomes: "401  403  403  ok   ok   ok   403  ok   401  401  403  403",
    input: async (world) => ({ ...inOrganization(world), id: (await world.workspace()).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.workspace()).id }),
  },
  "workspace.list": { outcomes: deviceReads, input: inOrganization },
  "device.register": {
    outcomes: memberWrites,
    input: (world) => ({ ...inOrganization(world), name: "matrix", platform: "linux" }),
  },
  "device.list": { outcomes: memberReads, input: inOrganization },
  "device.self": { outcomes: devices, input: () => undefined },
  "device.connect": {
    outcomes: devices,
    input: (world) => ({ journalId: world.journalId, agentVersion: "1", capabilities: ["list_projects"] }),
  },
  "agent.execute": {
    // The device is the member's and not shared: admins and owners may not use it either.
    outcomes: "401  403  403  ok   403  403  403  ok   401  401  401  401",
    input: ({ organizationId, device }) => ({
      organizationId,
      deviceId: device.id,
      tool: "list_projects",
      params: {},
      waitMs: 0,
      ifOffline: "queue",
    }),
    foreign: ({ stranger, device }) => ({
      organizationId: stranger.organizationId,
      deviceId: device.id,
      tool: "list_projects",
      params: {},
      ifOffline: "queue",
    }),
  },
  "agent.getCommand": {
    outcomes: memberReads,
    input: async (world) => ({ ...inOrganization(world), id: (await world.command()).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.command()).id }),
  },
  "agent.cancelCommand": {
    outcomes: memberWrites,
    input: async (world) => ({ ...inOrganization(world), id: (await world.command()).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.command()).id }),
  },
  "agent.start": {
    outcomes: thatDevice,
    input: async ({ command, journalId }) => ({ id: (await command()).id, journalId }),
  },
  "agent.progress": {
    outcomes: thatDevice,
    input: async ({ command, journalId }) => ({ id: (await command()).id, journalId, message: "half" }),
  },
  "agent.complete": {
    outcomes: thatDevice,
    input: async ({ command, journalId }) => ({ id: (await command()).id, journalId, result: {} }),
  },
  "agent.heartbeat": { outcomes: devices, input: () => ({ epoch: 1, beat: 1, running: [] }) },
  "apiKey.create": {
    outcomes: memberSession,
    input: (world) => ({ ...inOrganization(world), name: "matrix" }),
  },
  "apiKey.list": { outcomes: memberSession, input: inOrganization },
  "apiKey.revoke": {
    outcomes: memberSession,
    input: async (world) => ({ ...inOrganization(world), id: (await world.apiKey()).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.apiKey()).id }),
  },
};

/** One call over HTTP, as any client would make it; answers `ok` or the status. A stream is let go at once. */
async function call(path: string, token: string | undefined, input: unknown): Promise<string> {
  const hangUp = new AbortController();
  const json = JSON.stringify(input);
  const headers: Record<string, string> = {
    ...(token && { authorization: `Bearer ${token}` }),
    "content-type": "application/json",
  };
  const url = `${server.url}/api/trpc/${path}`;
  const kind = procedures[path]?._def.type;
  const response = await (kind === "mutation"
    ? fetch(url, { method: "POST", headers, body: json ?? "" })
    : fetch(json === undefined ? url : `${url}?input=${encodeURIComponent(json)}`, {
        headers: { ...headers, ...(kind === "subscription" && { accept: "text/event-stream" }) },
        signal: hangUp.signal,
      }));
  if (kind !== "subscription") {
    await response.text();
    return response.ok ? "ok" : `${response.status}`;
  }
  const outcome = await firstOfStream(response);
  hangUp.abort();
  return outcome;
}

/** A stream answers 200 and says in its first event, after tRPC's own, whether it was refused. */
async function firstOfStream(response: Response): Promise<string> {
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    const refused = /event: serialized-error\ndata: (.*)\n/.exec(text);
    if (refused?.[1]) return `${JSON.parse(refused[1]).data.httpStatus}`;
    if (/^data: \{"type"/m.test(text)) return "ok";
  }
  throw new Error(`The stream ended with: ${text}`);
}

describe("the authorization matrix", () => {
  it("has an entry for every procedure, and no other", () => {
    expect(Object.keys(matrix).sort()).toEqual(Object.keys(procedures).sort());
  });

  it.each(Object.entries(matrix))("%s", async (path, { outcomes, input }) => {
    const found: Record<string, string> = {};
    for (const identity of identities)
      found[identity] = await call(path, world.tokens[identity], await input(world));
    const expected = Object.fromEntries(
      outcomes.split(/\s+/).map((outcome, at) => [identities[at], outcome]),
    );
    expect(found).toEqual(expected);
  });

  it.each(Object.entries(matrix).filter(([, entry]) => entry.foreign))(
    "%s: another organization's rows do not exist",
    async (path, { foreign }) => {
      expect(await call(path, world.stranger.token, await foreign?.(world))).toBe("404");
    },
  );
});

it("the procedures, their kinds and guards", async () => {
  const lines = Object.entries(procedures).map(
    ([path, { _def }]) => `${path} ${_def.type} ${(_def.meta as Meta).guard}`,
  );
  await expect(`${lines.sort().join("\n")}\n`).toMatchFileSnapshot("authorization.snapshot.txt");
});
