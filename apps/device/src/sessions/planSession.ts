import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { initialTerminalSize } from "@grove/schemas";
import { retry } from "../cloud/backoff";
import { type DeviceApi, isTransient, reasonOf } from "../cloud/deviceApi";
import { CommandFailure } from "../errors";
import type { RepositoryLocks } from "../git/lock";
import { readConfig } from "../home/config";
import type { Home } from "../home/home";
import type { Store } from "../home/store";
import type { Log } from "../log";
import { CLOUD_PATIENCE } from "../tools/repository";
import type { Requester, ToolContext } from "../tools/tool";
import { findWorkspace, requireWorktree } from "../tools/workspace/onDevice";
import { chooseAgent } from "./agents";
import { CREDENTIALS, type NotPassedOn, sessionEnvironment } from "./environment";
import { type Launch, launchOf } from "./launch";
import type { SessionRecord } from "./records";
import type { TerminalOptions } from "./terminal";

export interface SessionsDeps {
  home: Home;
  store: Store;
  locks: RepositoryLocks;
  cloud: DeviceApi;
  journalId: string;
  /** The device agent's environment, without its secrets. */
  programEnv: NodeJS.ProcessEnv;
  log: Log;
}

export interface StartRequest {
  workspaceId: string;
  agent?: string | undefined;
  prompt: string;
}

/** A session that has passed every check on this machine. */
interface SessionPlan {
  identity: SessionRecord;
  launch: Launch;
  cwd: string;
  agentEnv: Readonly<Record<string, string>>;
  promptFile: string;
  /** The prompt, if it is passed through that file. */
  piped: string | undefined;
  /** The prompt, if it is typed. */
  typed: string | undefined;
  maxSessions: number;
  /** The project secrets that it gets, if this machine's owner has listed them. */
  secretNames: readonly string[] | undefined;
}

/** The file that holds an agent's prompt for stdin until the agent has opened it. */
export const promptFileOf = ({ sessionsDir }: Home, sessionId: string): string =>
  join(sessionsDir, `${sessionId}.prompt`);

/** @throws {CommandFailure} for a request that cannot be fulfilled, before anything has happened */
export async function planSession(
  deps: SessionsDeps,
  request: StartRequest,
  requester: Requester,
): Promise<SessionPlan> {
  const { home, programEnv } = deps;
  const workspace = await findWorkspace(deps, request.workspaceId);
  await requireWorktree(workspace);
  const config = await readConfig(home);
  const agent = await chooseAgent(config, programEnv.PATH, request.agent);
  const { prompt: way, env: agentEnv } = agent.definition;
  const id = randomUUID();
  const promptFile = promptFileOf(home, id);
  return {
    identity: {
      id,
      workspaceId: workspace.id,
      agent: agent.name,
      startedAt: new Date().toISOString(),
      startedBy: requester.id,
    },
    launch: launchOf(agent, request.prompt, promptFile),
    cwd: workspace.path,
    agentEnv,
    promptFile,
    piped: way === "stdin" ? request.prompt : undefined,
    typed: way === "typed" ? request.prompt : undefined,
    maxSessions: config.maxSessions,
    secretNames: config.secrets,
  };
}

/**
 * Registers the session in the cloud and fetches its project's secrets. This is the last step before the agent runs.
 * @throws {CommandFailure} `cloud_unreachable`, or the cloud's reason for refusing
 */
export async function announceSession(
  { cloud, journalId, programEnv }: SessionsDeps,
  { identity, cwd, agentEnv, promptFile, piped, secretNames }: SessionPlan,
  { commandId, requester, signal }: ToolContext,
): Promise<{ options: TerminalOptions; notPassedOn: NotPassedOn }> {
  const { id, workspaceId, agent } = identity;
  const patience = { ...CLOUD_PATIENCE, signal };
  try {
    const secrets = await retry(() => cloud.sessionSecrets({ commandId }), patience);
    const report = { type: "start" as const, id, journalId, workspaceId, agent, commandId };
    await retry(() => cloud.reportSession(report), patience);
    const passedOn = secretNames ?? ((await requester.isOwner()) ? CREDENTIALS : []);
    const { env, notPassedOn } = sessionEnvironment({
      sessionId: id,
      programEnv,
      secrets,
      passedOn,
      agentEnv,
    });
    if (piped !== undefined) await writeFile(promptFile, piped, { mode: 0o600 });
    return { options: { cwd, env, ...initialTerminalSize }, notPassedOn };
  } catch (error) {
    signal.throwIfAborted();
    const { name, message } = error as Error;
    if (name !== "TRPCClientError") throw error;
    throw isTransient(error)
      ? new CommandFailure(
          "cloud_unreachable",
          `The session could not be registered in the cloud: ${message}`,
        )
      : new CommandFailure(
          reasonOf(error) ?? "registration_refused",
          `The cloud refused the session: ${message}`,
        );
  }
}
