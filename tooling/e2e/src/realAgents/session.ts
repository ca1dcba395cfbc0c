import { access, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { succeed } from "@grove/testing/process";
import { until } from "@grove/testing/until";
import type { Scene } from "../faults/world/scene";
import { packageDirectory } from "../support/programs";
import { type AgentName, agents, writeUserFiles } from "./agents";
import { install } from "./install";
import { startMockModel } from "./mockModel/server";
import { readUserFiles } from "./userFiles";

const packagedDevice = join(packageDirectory("@grove/device"), "dist", "main.js");

interface Options {
  /** Runs `grove-device` of this session's machine before the start. */
  setUp?: (groveDevice: (...args: string[]) => Promise<string>, home: string) => Promise<unknown>;
  /** Whether the model answers from the start, or only after `session.letModelAnswer`. */
  isModelHeld?: boolean;
}

export type RealSession = Awaited<ReturnType<typeof startSession>>;

/** Starts a session of a real agent whose model runs one command, on a machine of its own. */
export async function startSession(scene: Scene, name: AgentName, { setUp, isModelHeld }: Options = {}) {
  const { cloud, machine } = scene;
  const { organizationId } = cloud;
  const { program, version } = await install(name, machine);
  const label = `${name} ${++count}`;
  const device = await scene.device(label);
  await device.connect();
  const project = await device.addWork(`work of ${label}`, 1);
  scene.atEnd(() => project.work.release());
  const model = await startMockModel(scene.atEnd);
  const letModelAnswer = isModelHeld ? model.hold() : () => {};
  const home = join(machine.temporary, `home of ${label}`);
  await mkdir(home);
  const place = { home, model: model.url, repository: project.work.path, deviceHome: device.home };
  await writeUserFiles(name, place);
  const agent = {
    command: [program, ...agents[name].args],
    env: { HOME: home, ...agents[name].env(place) },
  };
  await writeFile(join(device.home, "config.json"), JSON.stringify({ agents: { [name]: agent } }), {
    mode: 0o600,
  });
  await setUp?.(
    (...args) =>
      succeed(["node", packagedDevice, ...args], { env: { ...process.env, GROVE_HOME: device.home } }),
    home,
  );
  const userFiles = await readUserFiles(home);

  const execute = async <T>(tool: Tool, params: Record<string, unknown>) =>
    (await cloud.client().agent.execute.mutate({ organizationId, deviceId: device.id, tool, params }))
      .result as T;
  const { workspaces } = await execute<{ workspaces: { id: string; path: string }[] }>("create_workspace", {
    projectId: project.id,
    workspaces: [{ name: "proof" }],
  });
  const [workspace = { id: "", path: "" }] = workspaces;
  const { sessionId } = await execute<{ sessionId: string }>("start_agent_session", {
    workspaceId: workspace.id,
    agent: name,
    prompt: "Make a file.",
  });

  const session = { organizationId, id: sessionId };
  const person = cloud.person();
  const activity = async () => (await person.agent.getSession.query(session)).activity;
  const screen = async () =>
    String(
      (await execute<{ output?: string } | null>("get_agent_screen", { sessionId, length: 4_000 }))?.output,
    );
  /** Waits, and shows what the agent shows if that is in vain. */
  const waitUntil = async <T>(read: () => Promise<T>, what: string) => {
    try {
      return await until(read, what);
    } catch (error) {
      const state = JSON.stringify(await activity());
      throw new Error(`${error}\nActivity: ${state}\nScreen:\n${await screen()}`, { cause: error });
    }
  };
  const hasMade = () =>
    access(join(workspace.path, "made-by-the-model.txt")).then(
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
    home,
    activity,
    letModelAnswer,
    /** Waits for a request that can be answered outside the terminal. */
    asks: () =>
      waitUntil(async () => {
        const open = await person.agent.listRequests.query({ organizationId, sessionId, status: "open" });
        return open.find(({ isAnswerable }) => isAnswerable);
      }, "the agent asks for permission"),
    answer: (id: string, decision: "allow" | "deny") =>
      person.agent.answerRequest.mutate({ ...session, id, answer: { decision } }),
    release: (id: string) => person.agent.releaseRequest.mutate({ organizationId, id }),
    type: (text: string) => person.agent.sendInput.mutate({ ...session, text, screen: "live" }),
    shows: (words: RegExp) => waitUntil(async () => words.test(await screen()), `${words} is shown`),
    reaches,
    continues: () =>
      waitUntil(async () => (await activity())?.state !== "asks_permission", "the agent continues"),
    hasMade,
    commandHasRun: () => waitUntil(hasMade, "the command has run"),
    /** Waits until the turn counts as done, and prints how long after its end that was. */
    isDone: async (source: Source) => {
      await reaches("done", source);
      const seconds = ((Date.now() - model.turnEndedAt) / 1_000).toFixed(2);
      process.stdout.write(`${version}: done by its ${source} ${seconds} s after the model's last answer\n`);
    },
    /** Ends the session. Returns the user's files before it and after it. */
    end: async () => {
      await person.agent.stopSession.mutate(session);
      return { before: userFiles, after: await readUserFiles(home) };
    },
  };
}

let count = 0;

type Source = "hook" | "record" | "screen";
type Tool = "create_workspace" | "start_agent_session" | "get_agent_screen";
