import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { initialTerminalSize } from "@grove/schemas";
import { retry } from "@grove/signals/retry";
import { type DeviceApi, isTransient, reasonOf } from "../cloud/deviceApi";
import { apiRetryOptions } from "../cloud/retryOptions";
import { CommandFailure } from "../errors";
import type { RepositoryLocks } from "../git/repositoryLocks";
import { readConfig } from "../home/config";
import type { Home } from "../home/home";
import type { Store } from "../home/store";
import { findWorkspace, requireWorktree } from "../home/workspaces";
import { isGemini } from "../hooks/gemini";
import type { HookServer } from "../hooks/hookServer";
import { type InjectedHooks, injectHooks } from "../hooks/inject";
import type { Log } from "../log";
import type { Requester, ToolContext } from "../tool";
import { type FollowRecord, recordOf } from "./activity/agentRecord";
import { chooseAgent, originOf } from "./agents";
import { versionOf } from "./agentVersion";
import { CREDENTIALS, type NotPassedOn, sessionEnvironment } from "./process/environment";
import { type Launch, launchOf } from "./process/launch";
import { redactor } from "./reporting/redact";
import type { SessionRecord } from "./reporting/sessionFiles";
import type { TerminalOptions } from "./terminal/terminal";

export interface SessionsDeps {
  home: Home;
  store: Store;
  locks: RepositoryLocks;
  cloud: DeviceApi;
  journalId: string;
  /** The device agent's environment, without its secrets. */
  programEnv: NodeJS.ProcessEnv;
  log: Log;
  /** Undefined if this machine has no sockets. */
  hooks: HookServer | undefined;
}

export interface StartRequest {
  workspaceId: string;
  agent?: string | undefined;
  prompt?: string | undefined;
}

/** A session that has passed every check on this machine. */
export interface SessionPlan {
  identity: SessionRecord;
  launch: Launch;
  cwd: string;
  portBase: number;
  agentEnv: Readonly<Record<string, string>>;
  promptFile: string;
  /** The prompt, if it is passed through a file. */
  pipedPrompt: string | undefined;
  /** The prompt, if it is typed. */
  typedPrompt: string | undefined;
  /** False for a plain terminal, which waits for its user most of the time. */
  reportsWaiting: boolean;
  /** Whether the agent may report by hooks: those of the session, or hooks that the user has installed. */
  takesHooks: boolean;
  /** The hooks with which the agent is started. */
  hooks: Pick<InjectedHooks, "answerFormat" | "holdMs"> | undefined;
  /** Whether the agent takes answers from its hooks. */
  takesAnswers: () => Promise<boolean>;
  /** How to follow the agent's own record, which shows when its turns end. Undefined if its hooks show that. */
  followRecord: FollowRecord | undefined;
  maxSessions: number;
  /** The project secrets that the session gets, if this machine's owner has listed them. */
  secretNames: readonly string[] | undefined;
}

/** The file that holds an agent's prompt for stdin until the agent has opened it. */
export const promptFileOf = ({ sessionsDir }: Home, sessionId: string): string =>
  join(sessionsDir, `${sessionId}.prompt`);

/** On a busy machine an agent takes long to print its version, and its requests cannot be answered until it has. */
const HOOK_VERSION_MS = 60_000;

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
  const agent = await chooseAgent(config, programEnv, request.agent);
  const { prompt: way, env: agentEnv, command } = agent.definition;
  const hookDeps = { home, programEnv, log: deps.log, cwd: workspace.path };
  const withHooks = deps.hooks && (await injectHooks(agent, config, hookDeps));
  const definition = { ...agent.definition, command: withHooks?.command ?? command };
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
    launch: launchOf({ ...agent, definition }, request.prompt, promptFile),
    cwd: workspace.path,
    portBase: workspace.portBase,
    agentEnv: { ...agentEnv, ...withHooks?.env },
    promptFile,
    pipedPrompt: way === "stdin" ? request.prompt : undefined,
    typedPrompt: way === "typed" ? request.prompt : undefined,
    reportsWaiting: request.prompt !== undefined || originOf(agent.name, config) !== "shell",
    takesHooks: withHooks !== undefined || isGemini(command),
    hooks: withHooks,
    followRecord: withHooks ? undefined : recordOf(command),
    takesAnswers: async () =>
      withHooks?.takesAnswers(() => versionOf(agent, programEnv, HOOK_VERSION_MS)) ?? false,
    maxSessions: config.maxSessions,
    secretNames: config.secrets,
  };
}

interface Announced {
  options: TerminalOptions;
  notPassedOn: NotPassedOn;
  /** Replaces the session's secrets in a text. */
  redact: (text: string) => string;
}

/**
 * Registers the session in the cloud and fetches its project's secrets. This is the last step before the agent runs.
 * @throws {CommandFailure} `cloud_unreachable`, or the cloud's reason for refusing
 */
export async function announceSession(
  { cloud, journalId, programEnv }: SessionsDeps,
  { identity, cwd, portBase, agentEnv, promptFile, pipedPrompt, secretNames }: SessionPlan,
  { commandId, requester, signal }: ToolContext,
  hookEnv: Readonly<Record<string, string>>,
): Promise<Announced> {
  const { id, workspaceId, agent } = identity;
  const retryOptions = { ...apiRetryOptions, signal };
  try {
    const secrets = await retry(() => cloud.sessionSecrets({ commandId }), retryOptions);
    const report = { type: "start" as const, id, journalId, workspaceId, agent, commandId };
    await retry(() => cloud.reportSession(report), retryOptions);
    const passedOn = secretNames ?? ((await requester.isOwner()) ? CREDENTIALS : []);
    const {
      env,
      notPassedOn,
      secretNames: given,
    } = sessionEnvironment({
      sessionId: id,
      portBase,
      programEnv,
      secrets,
      passedOn,
      agentEnv,
      hookEnv,
    });
    if (pipedPrompt !== undefined) await writeFile(promptFile, pipedPrompt, { mode: 0o600 });
    return { options: { cwd, env, ...initialTerminalSize }, notPassedOn, redact: redactor(env, given) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Error) || error.name !== "TRPCClientError") throw error;
    const { message } = error;
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
