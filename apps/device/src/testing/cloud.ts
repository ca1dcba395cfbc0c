import { randomUUID } from "node:crypto";
import { EventEmitter, on } from "node:events";
import type { AddressInfo } from "node:net";
import {
  type AgentReportSessionInput,
  agentCompleteInput,
  agentHeartbeatInput,
  agentProgressInput,
  agentReportSessionInput,
  agentSessionSecretsInput,
  agentStartInput,
  type CommandStatus,
  type DeviceEvent,
  deviceConnectInput,
  type Project,
  projectCreateInput,
  projectGetInput,
  projectListInput,
  type WorkspaceEnsureInput,
  workspaceDeleteInput,
  workspaceEnsureInput,
  workspaceListInput,
  workspaceUpdateInput,
} from "@grove/schemas";
import { until } from "@grove/testing/until";
import { initTRPC, TRPCError } from "@trpc/server";
import { createHTTPServer } from "@trpc/server/adapters/standalone";
import { onTestFinished } from "vitest";

/** A refusal by the API: a code and perhaps a reason. */
export class Refusal extends TRPCError {
  readonly reason?: string;

  constructor(code: TRPCError["code"], reason?: string) {
    super({ code, message: reason ?? code });
    this.reason = reason;
  }
}

interface Call {
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: each procedure has its own input, and tests read the inputs' fields.
  input: any;
}

export const ORGANIZATION_ID = randomUUID();
export const DEVICE_ID = randomUUID();
/** The user who owns the device. */
export const OWNER_ID = randomUUID();

/**
 * Simulates the part of the cloud that a device talks to, over real HTTP on a free port. It does what a test asks, so
 * that tests can cause faults that the real API cannot be made to show. The real API's behaviour is tested in
 * agent.test.ts.
 */
export async function startTestCloud() {
  const calls: Call[] = [];
  const sent = new EventEmitter().setMaxListeners(0);
  /** Called before a procedure runs, by path; may throw, or delay it by a promise. */
  const faults: Record<string, (() => unknown) | undefined> = {};
  /** Called after a procedure has run and before it answers, by path; may throw, or delay the answer by a promise. */
  const afterwards: Record<string, (() => unknown) | undefined> = {};
  const statuses = new Map<string, CommandStatus>();
  const projects = new Map<string, Project>();
  const workspaces = new Map<string, WorkspaceEnsureInput>();
  /** The secrets of every project. */
  const secrets: Record<string, string> = {};
  const sessionReports: AgentReportSessionInput[] = [];
  /** The answer to reports of sessions. */
  const pace = { paceMs: 100 };
  const heartbeat = { canceled: [] as string[], lost: [] as string[] };
  let streams = 0;

  const t = initTRPC.create({
    errorFormatter: ({ shape, error }) => ({
      ...shape,
      data: { ...shape.data, reason: error instanceof Refusal ? error.reason : undefined, requestId: "test" },
    }),
  });
  const procedure = t.procedure.use(async ({ path, getRawInput, next }) => {
    calls.push({ path, input: await getRawInput() });
    await faults[path]?.();
    const answer = await next();
    await afterwards[path]?.();
    return answer;
  });
  const settle = (id: string, status: CommandStatus) => {
    if (!statuses.has(id)) statuses.set(id, status);
    return { status: statuses.get(id) ?? status };
  };

  const router = t.router({
    device: t.router({
      self: procedure.query(() => ({
        device: { id: DEVICE_ID, ownerId: OWNER_ID },
        organization: { id: ORGANIZATION_ID },
      })),
      connect: procedure.input(deviceConnectInput).subscription(async function* ({ signal }) {
        streams++;
        const events = on(sent, "event", { signal, close: ["end"] });
        sent.emit("connected");
        for await (const [event] of events) yield event as DeviceEvent;
      }),
    }),
    agent: t.router({
      start: procedure
        .input(agentStartInput)
        .mutation(({ input }) => ({ status: statuses.get(input.id) ?? "running" })),
      progress: procedure
        .input(agentProgressInput)
        .mutation(({ input }) => ({ status: statuses.get(input.id) ?? "running" })),
      complete: procedure
        .input(agentCompleteInput)
        .mutation(({ input }) =>
          settle(input.id, input.canceled ? "canceled" : input.error ? "failed" : "succeeded"),
        ),
      sessionSecrets: procedure.input(agentSessionSecretsInput).mutation(() => secrets),
      reportSession: procedure.input(agentReportSessionInput).mutation(({ input }) => {
        sessionReports.push(input);
        return { success: true as const, ...pace };
      }),
      heartbeat: procedure.input(agentHeartbeatInput).mutation(() => heartbeat),
    }),
    project: t.router({
      get: procedure.input(projectGetInput).query(({ input }) => {
        const project = projects.get(input.id);
        if (!project) throw new Refusal("NOT_FOUND");
        return project;
      }),
      list: procedure.input(projectListInput).query(() => [...projects.values()]),
      create: procedure.input(projectCreateInput).mutation(({ input }) => {
        if ([...projects.values()].some(({ slug }) => slug === input.slug))
          throw new Refusal("CONFLICT", "slug_taken");
        return addProject(input);
      }),
    }),
    workspace: t.router({
      ensure: procedure.input(workspaceEnsureInput).mutation(({ input }) => {
        workspaces.set(input.workspace.id, input);
        return { projectId: randomUUID(), workspaceId: input.workspace.id, txid: "1" };
      }),
      update: procedure.input(workspaceUpdateInput).mutation(({ input }) => {
        const found = workspaces.get(input.id);
        if (!found) throw new Refusal("NOT_FOUND");
        if (input.name !== undefined) found.workspace.name = input.name;
        return found.workspace;
      }),
      list: procedure
        .input(workspaceListInput)
        .query(() => [...workspaces.values()].map(({ workspace }) => workspace).reverse()),
      delete: procedure.input(workspaceDeleteInput).mutation(({ input }) => {
        if (!workspaces.delete(input.id)) throw new Refusal("NOT_FOUND");
        return { success: true };
      }),
    }),
  });

  const addProject = (fields: Partial<Project> & Pick<Project, "repoUrl">): Project => {
    const now = new Date().toISOString();
    const project: Project = {
      id: randomUUID(),
      name: "App",
      slug: "app",
      repoOwner: "acme",
      repoName: "app",
      defaultBranch: "main",
      restorePoints: true,
      doneBranches: null,
      maxRounds: 2,
      gateOnFinish: false,
      createdAt: now,
      updatedAt: now,
      ...fields,
      organizationId: ORGANIZATION_ID,
    };
    projects.set(project.id, project);
    return project;
  };

  const server = createHTTPServer({ router, basePath: "/api/trpc/" });
  const requests: string[] = [];
  server.on("request", ({ url }) => requests.push(url ?? ""));
  server.listen(0, "127.0.0.1");
  await until(() => server.listening);
  onTestFinished(() => {
    sent.emit("end");
    server.closeAllConnections();
    server.close();
  });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    /** The procedures called in each request, separated by commas if they came as a batch. */
    requests,
    faults,
    afterwards,
    statuses,
    projects,
    workspaces,
    heartbeat,
    secrets,
    sessionReports,
    pace,
    addProject,
    /** Sends an event on the open stream. */
    send: (event: DeviceEvent) => sent.emit("event", event),
    /** Ends the open stream, as an API that restarts does. */
    endStreams: () => sent.emit("end"),
    streams: () => streams,
    /** How often a procedure was called, for one command if its id is given. */
    count: (path: string, id?: string) =>
      calls.filter((call) => call.path === path && (id === undefined || call.input.id === id)).length,
    /** Waits until a procedure was called (for one command), and returns the input of that call. */
    called: (path: string, id?: string) =>
      until(
        () => calls.find((call) => call.path === path && (id === undefined || call.input.id === id))?.input,
      ),
  };
}

export type TestCloud = Awaited<ReturnType<typeof startTestCloud>>;
