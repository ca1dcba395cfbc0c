import { rm } from "node:fs/promises";
import type { DeviceToolResult } from "@grove/schemas";
import * as z from "zod";
import { CommandFailure } from "../errors";
import { findWorkspace } from "../home/workspaces";
import type { ToolContext } from "../tool";
import { AgentActivity, type TurnMoment } from "./activity/agentActivity";
import { followRecord, registerHooks } from "./agentReports";
import {
  announceSession,
  planSession,
  type SessionPlan,
  type SessionsDeps,
  type StartRequest,
} from "./planSession";
import { withheldSecrets } from "./process/environment";
import { endProcesses, notEnded } from "./process/processes";
import { ReporterRegistry } from "./reporting/reporterRegistry";
import { writeRecord } from "./reporting/sessionFiles";
import { Session } from "./session";
import { SessionRegistry } from "./sessionRegistry";
import { type OpenTerminal, openTerminal } from "./terminal/terminal";

/** The note that start_agent_session writes before it starts a program. */
const startNote = z.object({ sessionId: z.string() });

/** The agent sessions of this machine. */
export class Sessions {
  /** The running sessions, and those that ended recently. */
  readonly registry = new SessionRegistry();
  /** Called with a workspace's id when an agent's session starts in it, and when a turn of it begins or ends. */
  onTurn: (workspaceId: string, moment: TurnMoment) => void = () => {};
  readonly #reporters: ReporterRegistry;
  /** The number of sessions that are about to run. */
  #starting = 0;
  #stopping = false;
  #recoveredSessions: Promise<ReadonlySet<string>> = Promise.resolve(new Set());

  readonly #deps: SessionsDeps;

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    this.#reporters = new ReporterRegistry(deps);
  }

  /** Ends what an earlier device agent's sessions have left running, and reports their ends to the cloud. */
  recover(): void {
    this.#recoveredSessions = this.#reporters.recover().catch((error) => {
      this.#deps.log.error({ err: error }, "sessions of an earlier device agent could not be recovered");
      return new Set<string>();
    });
  }

  /**
   * Runs an agent in a workspace.
   * @throws {CommandFailure} `workspace_not_found`, `worktree_missing`, `unknown_agent`, `agent_not_installed`,
   * `too_many_sessions`, `config_invalid`, `prompt_too_long`, `start_failed`, or what the cloud refused
   */
  async start(request: StartRequest, context: ToolContext): Promise<DeviceToolResult<"start_agent_session">> {
    const { path } = await findWorkspace(this.#deps, request.workspaceId);
    // The lock of its directory keeps the workspace from being removed until the session has started.
    return this.#deps.locks.run(path, () => this.#start(request, context), context.signal);
  }

  async #start(request: StartRequest, context: ToolContext) {
    const plan = await planSession(this.#deps, request, context.requester);
    this.#requireFreeSlot(plan.maxSessions);
    try {
      const { identity } = plan;
      await context.note({ sessionId: identity.id } satisfies z.infer<typeof startNote>);
      await writeRecord(this.#deps.home, identity);
      try {
        const hooks = registerHooks(this.#deps, plan);
        const announced = await announceSession(this.#deps, plan, context, hooks?.env ?? {});
        context.signal.throwIfAborted();
        const opened = await openTerminal(plan.launch, announced.options);
        if (plan.reportsWaiting) this.onTurn(identity.workspaceId, "start");
        const session = this.#begin(plan, opened, announced.redact);
        hooks?.deliverTo(session);
        followRecord(session, plan, announced.options.env);
        for (const line of withheldSecrets(announced.notPassedOn))
          session.reporter.output(`[grove: ${line}]\r\n`);
        const started = { sessionId: identity.id, agent: identity.agent, pid: session.pid };
        context.log.info(started, "agent session started");
        return started;
      } catch (error) {
        await rm(plan.promptFile, { force: true });
        void this.#reporters.reportEnd(identity, { status: "failed", error: failureOf(error) });
        throw error;
      }
    } finally {
      this.#starting--;
    }
  }

  #requireFreeSlot(maxSessions: number): void {
    const { ids } = this.registry;
    if (ids.length + this.#starting >= maxSessions)
      throw new CommandFailure(
        "too_many_sessions",
        `This device runs ${ids.length} agent sessions, and at most ${maxSessions} are allowed (maxSessions in its config.json). Stop one of: ${ids.join(", ") || "none has started yet"}.`,
      );
    this.#starting++;
  }

  /** Describes the result of a start that was cut off because the device agent ended. */
  async afterInterruptedStart(notes: readonly unknown[]): Promise<string> {
    const recovered = await this.#recoveredSessions;
    const startedIds = notes.flatMap((note) => startNote.safeParse(note).data?.sessionId ?? []);
    const ended = startedIds.filter((sessionId) => recovered.has(sessionId));
    return ended.length > 0
      ? `Its agent session ${ended.join(", ")} has ended with it; none of its processes runs any longer.`
      : "No agent session was started.";
  }

  /**
   * Resolves when the text has been typed.
   * @param screen see {@link Session.type}
   * @throws {CommandFailure} `no_such_session`, `input_not_read`, and what {@link Session.type} throws
   */
  async type(sessionId: string, text: string, screen: number | "live" | undefined): Promise<void> {
    await this.#readingInput(sessionId).type(text, screen);
  }

  /**
   * Gives a prompt to an agent that has nothing to do. Resolves when it has been typed.
   * @throws {CommandFailure} `no_such_session`, `input_not_read`, and what {@link Session.givePrompt} throws
   */
  async givePrompt(sessionId: string, prompt: string): Promise<void> {
    await this.#readingInput(sessionId).givePrompt(prompt);
  }

  #readingInput(sessionId: string): Session {
    const session = this.registry.get(sessionId);
    if (session.takesInput) return session;
    throw new CommandFailure(
      "input_not_read",
      `The agent of session ${sessionId} does not read its input. Nothing was typed; try again when it does.`,
    );
  }

  /** @throws {CommandFailure} `no_such_session` */
  resize(sessionId: string, columns: number, rows: number): void {
    this.registry.get(sessionId).resize(columns, rows);
  }

  /**
   * Ends a session with all its processes. A session that does not run here is reported to the cloud as ended.
   * @throws {CommandFailure} `not_ended` if a process is left that could not be killed
   */
  async stop(sessionId: string): Promise<void> {
    const session = this.registry.find(sessionId);
    const allEnded = await (session ? session.end("stopped") : endProcesses({ sessionId }));
    if (!allEnded) throw notEnded(sessionId);
    const willBeReported = this.#reporters.has(sessionId);
    if (!session && !willBeReported)
      await this.#deps.cloud.reportSession({
        type: "end",
        id: sessionId,
        status: "failed",
        error: {
          reason: "not_running",
          message: "The device had no such session when it was asked to stop it.",
        },
      });
  }

  /** The ids of the sessions that run in a workspace. */
  runningIn(workspaceId: string): string[] {
    return this.registry.runningIn(workspaceId);
  }

  /** Ends the sessions that run in a workspace. Same errors as {@link stop}. */
  async stopIn(workspaceId: string): Promise<void> {
    await Promise.all(this.runningIn(workspaceId).map((sessionId) => this.stop(sessionId)));
  }

  onWatched(sessionId: string): void {
    this.#reporters.onWatched(sessionId);
  }

  /** Retries reports immediately, since the cloud can be reached again. */
  retryNow(): void {
    this.#reporters.retryNow();
  }

  /** Ends all sessions with the device agent, which owns their terminals. Resolves when none runs. */
  async endAll(graceMs: number): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.registry.all.map((session) => session.end("interrupted", graceMs)));
  }

  /** Resolves when the cloud has confirmed all ends. */
  allReported(): Promise<void> {
    return this.#reporters.allReported();
  }

  /** Stops reporting. The next device agent reports the remaining ends. */
  close(): void {
    this.#reporters.close();
  }

  #begin(plan: SessionPlan, opened: OpenTerminal, redact: (text: string) => string): Session {
    const { identity, typedPrompt, reportsWaiting, hooks, takesAnswers } = plan;
    const session = new Session({
      identity,
      ...opened,
      typedPrompt,
      activity: reportsWaiting
        ? (deps) =>
            new AgentActivity({
              ...deps,
              redact,
              takesAnswers,
              hooks,
              onTurn: (moment) => this.onTurn(identity.workspaceId, moment),
            })
        : undefined,
      log: this.#deps.log,
      reporter: (screenAsOutput) => this.#reporters.open(identity.id, screenAsOutput),
      onEnd: (end) => writeRecord(this.#deps.home, { ...identity, end }),
    });
    const onFailure = (error: unknown) =>
      this.#deps.log.error({ err: error, sessionId: identity.id }, "an agent session could not be ended");
    this.registry.add(session);
    // If the cloud no longer has the session, no user could see or stop it.
    void session.reporter.over
      .then((how) => {
        if (how === "refused") return session.end("stopped");
      })
      .catch(onFailure);
    // The device agent was stopped while this session was being started.
    if (this.#stopping) session.end("interrupted").catch(onFailure);
    return session;
  }
}

const failureOf = (error: unknown) =>
  error instanceof CommandFailure
    ? { reason: error.reason, message: error.message }
    : { reason: "start_failed", message: "The agent was not started: the command was ended before that." };
