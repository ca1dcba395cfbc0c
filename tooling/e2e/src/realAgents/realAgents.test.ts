import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { succeed } from "@grove/testing/process";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { useScene } from "../faults/world/scene";
import { packageDirectory } from "../support/programs";
import { startMockModel } from "./mockModel";

/*
 * The real agents, from npm, against a mock model: `REAL_AGENTS=1 pnpm --filter @grove/e2e exec vitest run realAgents`.
 * They are large, and their formats change weekly, so CI uses scripted agents instead.
 */
const scene = useScene(1);

/** The versions that were proved last. Without a number, npm would take the newest for this version of Node. */
const agents = {
  claude: { package: "@anthropic-ai/claude-code@2.1.332", directory: ".claude" },
  opencode: { package: "opencode-ai@1.18.33", directory: ".config" },
  codex: { package: "@openai/codex@0.169.0", directory: ".codex" },
} as const;
type Name = keyof typeof agents;

const packagedDevice = join(packageDirectory("@grove/device"), "dist", "main.js");

/** Installs an agent for a user who has set it up for the mock model. */
async function install(name: Name, repository: string) {
  const { machine } = scene;
  const [directory, home] = [join(machine.temporary, name), join(machine.temporary, `home of ${name}`)];
  await mkdir(directory, { recursive: true });
  await mkdir(join(home, ".claude"), { recursive: true });
  await mkdir(join(home, ".config", "opencode"), { recursive: true });
  await mkdir(join(home, ".codex"), { recursive: true });
  const npm = ["npm", "install", "--no-audit", "--no-fund", "--prefix", directory, agents[name].package];
  await succeed(npm, { env: { ...process.env }, cwd: directory });
  const program = join(directory, "node_modules", ".bin", name);
  const model = await startMockModel(scene.atEnd);
  const key = "sk-ant-mock-01234567890123456789";
  const env = {
    HOME: home,
    CODEX_HOME: join(home, ".codex"),
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: key,
    DISABLE_AUTOUPDATER: "1",
  };
  const approved = [key.slice(-20)];
  await writeFile(
    join(home, ".claude.json"),
    JSON.stringify({ hasCompletedOnboarding: true, customApiKeyResponses: { approved, rejected: [] } }),
  );
  const provider = { npm: "@ai-sdk/openai-compatible", options: { baseURL: `${model}/v1`, apiKey: "x" } };
  await writeFile(
    join(home, ".config", "opencode", "opencode.json"),
    JSON.stringify({
      model: "mock/mock",
      small_model: "mock/mock",
      permission: { bash: "ask" },
      provider: { mock: { ...provider, models: { mock: { tool_call: true } } } },
    }),
  );
  await writeFile(join(home, ".codex", "config.toml"), codexConfig(model, repository));
  const command = {
    claude: [program, "--permission-mode", "default", "--", "{prompt}"],
    opencode: [program, "--prompt={prompt}"],
    codex: [program, "--ask-for-approval", "on-request", "--", "{prompt}"],
  }[name];
  const version = await succeed([program, "--version"], { env: { ...process.env, ...env }, cwd: directory });
  process.stdout.write(`${name} ${version.trim()}\n`);
  return { command, env, home };
}

/** Codex with the mock model. It trusts the repository, as after its question about that. */
const codexConfig = (model: string, repository: string) => `
model = "mock"
model_provider = "mock"
check_for_update_on_startup = false
[model_providers.mock]
name = "mock"
base_url = "${model}/v1"
wire_api = "responses"
[projects."${repository}"]
trust_level = "trusted"
`;

/** Starts a session of a real agent that makes a file, up to its first question. */
async function start(name: Name, label: string, hasConsent = true) {
  const { cloud } = scene;
  const { organizationId } = cloud;
  const device = await scene.device(`${name} ${label}`);
  await device.connect();
  const project = await device.addWork(`work of ${name} ${label}`, 1);
  scene.atEnd(() => project.work.release());
  const { home, ...agent } = await install(name, project.work.path);
  const config = { agents: { [name]: agent } };
  await writeFile(join(device.home, "config.json"), JSON.stringify(config), { mode: 0o600 });
  const consent = ["node", packagedDevice, "agents", "enable", "codex", "--yes"];
  if (name === "codex" && hasConsent)
    await succeed(consent, { env: { ...process.env, GROVE_HOME: device.home }, cwd: device.home });
  const run = async (tool: "create_workspace" | "start_agent_session", params: Record<string, unknown>) =>
    (await cloud.client().agent.execute.mutate({ organizationId, deviceId: device.id, tool, params }))
      .result as {
      workspaces: { id: string; path: string }[];
      sessionId: string;
    };
  const workspaces = [{ name: "proof" }];
  const [workspace] = (await run("create_workspace", { projectId: project.id, workspaces })).workspaces;
  const { sessionId } = await run("start_agent_session", {
    workspaceId: workspace?.id,
    agent: name,
    prompt: "Make a file.",
  });
  const session = { organizationId, id: sessionId };
  const person = cloud.person();
  const activity = async () => (await person.agent.getSession.query(session)).activity;
  if (name === "claude") await trust(sessionId);
  const made = join(workspace?.path ?? "", "made-by-the-model.txt");
  return {
    activity,
    /** Waits for a request that can be answered outside the terminal. */
    asks: () =>
      until(async () => {
        const open = await person.agent.listRequests.query({ organizationId, sessionId, status: "open" });
        return open.find(({ isAnswerable }) => isAnswerable);
      }, "the agent asks for permission"),
    answer: (id: string, decision: "allow" | "deny") =>
      person.agent.answerRequest.mutate({ ...session, id, answer: { decision } }),
    type: (text: string) => person.agent.sendInput.mutate({ ...session, text, screen: "live" }),
    shows: (words: RegExp) => until(async () => words.test(await screenOf(sessionId)), `${words} is shown`),
    hasMade: () =>
      readFile(made).then(
        () => true,
        () => false,
      ),
    /** The files in which the user configures the agent, and the content of Codex's. */
    own: async () => [
      await readFile(join(home, ".codex", "config.toml"), "utf8"),
      ...(await readdir(join(home, agents[name].directory), { recursive: true }))
        .filter((file) => /settings|opencode\.json|config\.toml|hooks/.test(file))
        .sort(),
    ],
  };
}

it.each<[Name, "allow" | "deny"]>([
  ["claude", "allow"],
  ["claude", "deny"],
  ["opencode", "allow"],
  ["opencode", "deny"],
  ["codex", "allow"],
  ["codex", "deny"],
])("%s reports its turn, and takes the answer %s to its request", async (name, decision) => {
  const session = await start(name, decision);
  const request = await session.asks();
  expect(request.input).toBe("touch made-by-the-model.txt");
  const own = await session.own();
  const answered = await session.answer(request.id, decision);
  expect(answered).toMatchObject({ status: "answered", delivery: "delivered" });
  await until(async () => (await session.activity())?.state !== "asks_permission", "the agent continues");
  if (decision === "allow") {
    await until(session.hasMade, "the command has run");
    await until(async () => (await session.activity())?.state === "done", "the turn is done");
  } else expect(await session.hasMade()).toBe(false);
  expect((await session.activity())?.source).toBe("hook");
  expect(await session.own()).toEqual(own);
});

it("codex shows its own prompt at a key, which the next key answers", async () => {
  const session = await start("codex", "key");
  await session.asks();
  await session.shows(/Running .*hook/i);
  await session.type("\u001b[C");
  await session.shows(/Would you like to run/);
  expect((await session.activity())?.state).toBe("asks_permission");
  await session.type("y");
  await until(session.hasMade, "the command has run");
  await until(async () => (await session.activity())?.state === "done", "the turn is done");
});

it("codex without consent asks in its terminal, and is done by its record", async () => {
  const session = await start("codex", "record", false);
  await session.shows(/Would you like to run/);
  await session.type("y");
  await until(session.hasMade, "the command has run");
  await until(async () => (await session.activity())?.state === "done", "the turn is done");
  expect((await session.activity())?.source).toBe("record");
});

async function screenOf(sessionId: string): Promise<string> {
  const { cloud } = scene;
  const { organizationId } = cloud;
  const { deviceId } = await cloud.person().agent.getSession.query({ organizationId, id: sessionId });
  const command = await cloud.client().agent.execute.mutate({
    organizationId,
    deviceId,
    tool: "get_agent_screen",
    params: { sessionId, length: 4_000 },
  });
  return String((command.result as { output?: string } | null)?.output);
}

/** Claude Code first asks whether to trust the directory; "Yes" is the second option. */
async function trust(sessionId: string): Promise<void> {
  const { cloud } = scene;
  const session = { organizationId: cloud.organizationId, id: sessionId };
  await until(async () => /❯ No, exit/.test(await screenOf(sessionId)), "the question about trust");
  const type = (text: string) => cloud.person().agent.sendInput.mutate({ ...session, text, screen: "live" });
  await type("\u001bOB");
  await until(async () => /❯ Yes, I trust/.test(await screenOf(sessionId)), "the mark has moved");
  await type("\r");
}
