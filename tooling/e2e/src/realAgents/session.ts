import { access } from "node:fs/promises";
import { join } from "node:path";
import { until } from "@grove/testing/until";
import type { PreparedAgent } from "./prepare";
import { readUserFiles } from "./userFiles";

export type RealSession = Awaited<ReturnType<typeof startSession>>;

type Source = "hook" | "record" | "screen";

/** Starts a session of a real agent whose model runs one command. */
export async function startSession(agent: PreparedAgent) {
  const { version, model, home, device } = agent;
  const { organizationId } = device.cloud;
  const userFiles = await readUserFiles(home);
  const { sessionId, made } = await startIn(agent);
  const session = { organizationId, id: sessionId };
  const person = device.cloud.person();
  const stop = () => person.agent.stopSession.mutate(session);
  // Also after a failed test: the agent's processes outlive a device that is killed.
  agent.atEnd(() => stop().catch(() => undefined));
  const activity = async () => (await person.agent.getSession.query(session)).activity;
  const screen = async () => {
    const params = { sessionId, length: 4_000 };
    return String((await execute<{ output?: string } | null>(agent, "get_agent_screen", params))?.output);
  };
  /** Like `until`, but its error has the agent's screen. */
  const waitUntil = async <T>(read: () => Promise<T>, what: string) => {
    try {
      return await until(read, what);
    } catch (error) {
      const state = JSON.stringify(await activity());
      throw new Error(`${error}\nActivity: ${state}\nScreen:\n${await screen()}`, { cause: error });
    }
  };
  const hasMade = () =>
    access(made).then(
      () => true,
      () => false,
    );
  const reaches = (state: string, source: Source) =>
    waitUntil(async () => {
      const current = await activity();
      return current?.state === state && current.source === source;
    }, `it is ${state} by its ${source}`);
  return {
    sessionId,
    activity,
    /** Waits for a request that can be answered outside the terminal. */
    openRequest: () =>
      waitUntil(async () => {
        const open = await person.agent.listRequests.query({ organizationId, sessionId, status: "open" });
        return open.find(({ isAnswerable }) => isAnswerable);
      }, "the agent asks for permission"),
    answer: (id: string, decision: "allow" | "deny") =>
      person.agent.answerRequest.mutate({ organizationId, id, answer: { decision } }),
    release: (id: string) => person.agent.releaseRequest.mutate({ organizationId, id }),
    type: (text: string) => person.agent.sendInput.mutate({ ...session, text, screen: "live" }),
    shows: (words: RegExp) => waitUntil(async () => words.test(await screen()), `${words} is shown`),
    reaches,
    continues: () =>
      waitUntil(async () => (await activity())?.state !== "needs_permission", "the agent continues"),
    hasMade,
    commandHasRun: () => waitUntil(hasMade, "the command has run"),
    /** Waits until the turn counts as done, and prints how long after its end that was. */
    isDone: async (source: Source) => {
      await reaches("done", source);
      const seconds = ((Date.now() - model.turnEndedAt) / 1_000).toFixed(2);
      process.stdout.write(`${version}: done by its ${source} ${seconds} s after the model's last answer\n`);
    },
    /** Ends the session. Returns the user's files before and after the session. */
    end: async () => {
      await stop();
      return { before: userFiles, after: await readUserFiles(home) };
    },
  };
}

/** Starts the session in a new worktree. Returns the path of the file that the model's command makes. */
async function startIn(agent: PreparedAgent) {
  const { workspaces } = await execute<{ workspaces: { id: string; path: string }[] }>(
    agent,
    "create_workspace",
    { projectId: agent.project.id, workspaces: [{ name: "proof" }] },
  );
  const [workspace = { id: "", path: "" }] = workspaces;
  const { sessionId } = await execute<{ sessionId: string }>(agent, "start_agent_session", {
    workspaceId: workspace.id,
    agent: agent.name,
    prompt: "Make a file.",
  });
  return { sessionId, made: join(workspace.path, "made-by-the-model.txt") };
}

async function execute<T>(
  { device }: PreparedAgent,
  tool: "create_workspace" | "start_agent_session" | "get_agent_screen",
  params: Record<string, unknown>,
): Promise<T> {
  const { organizationId } = device.cloud;
  const command = { organizationId, deviceId: device.id, tool, params };
  return (await device.cloud.client().agent.execute.mutate(command)).result as T;
}
