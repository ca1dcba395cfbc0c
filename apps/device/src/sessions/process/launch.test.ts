import fc from "fast-check";
import { expect, it } from "vitest";
import type { AgentCommand } from "../../home/config";
import { pasted } from "../activity/answer";
import { chooseAgent, startableAgents } from "../agents";
import { launchOf } from "./launch";

const agent = (definition: Partial<AgentCommand>) => ({
  name: "me",
  file: "/bin/me",
  modifiedMs: 0,
  printsVersion: false,
  definition: {
    command: ["me", "--say={prompt}", "--", "{prompt}"],
    prompt: "argument" as const,
    env: {},
    ...definition,
  },
});

it("a prompt replaces each placeholder and stays within one argument, for any characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 200 }), (prompt) => {
      expect(launchOf(agent({}), prompt, "/p")).toEqual({
        file: "/bin/me",
        args: [`--say=${prompt}`, "--", prompt],
      });
    }),
  );
});

it("without a prompt an agent gets none of the arguments for it, and is run directly", () => {
  expect(launchOf(agent({}), undefined, "/p")).toEqual({ file: "/bin/me", args: [] });
  const command = ["me", "--model", "opus", "--say={prompt}"];
  expect(launchOf(agent({ command }), undefined, "/p").args).toEqual(["--model", "opus"]);
  const piped = agent({ command: ["me", "run"], prompt: "stdin" });
  expect(launchOf(piped, undefined, "/p")).toEqual({ file: "/bin/me", args: ["run"] });
});

it("a prompt on stdin never reaches the shell that opens its file", () => {
  const command = ["me", "$(x)", "a b"];
  expect(launchOf(agent({ command, prompt: "stdin" }), "$(evil)", "/p p")).toEqual({
    file: "/bin/sh",
    args: ["-c", expect.not.stringContaining("evil"), "/p p", "/bin/me", "$(x)", "a b"],
  });
});

it("a prompt that does not fit into an argument is refused", () => {
  const tooLong = "ä".repeat(70_000);
  expect(() => launchOf(agent({}), tooLong, "/p")).toThrow("140000 bytes");
  expect(launchOf(agent({ command: ["me"], prompt: "stdin" }), tooLong, "/p").file).toBe("/bin/sh");
});

it("a typed prompt presses no key, and is pasted if the program asks for that", () => {
  expect(pasted("one\ntwo\tthree\x1b[201~\x03\x7f", true)).toBe("\x1b[200~one\ntwo\tthree[201~\x1b[201~");
  expect(pasted("ü 🌳", false)).toBe("ü 🌳");
});

it("without a name it is the configured default, or otherwise the first installed preset", async () => {
  const config = {
    agents: {},
    shell: true,
    cloneHosts: [],
    hooks: { claude: true, opencode: true, codex: false as const },
    maxSessions: 1,
    allowRepositoryScripts: false,
    scriptTimeoutSeconds: 1,
  };
  const mine = { sh: { command: ["sh"], prompt: "typed" as const, env: {} } };
  const env = { PATH: "/usr/bin:/bin" };
  expect(await chooseAgent({ ...config, agents: mine, defaultAgent: "sh" }, env, undefined)).toMatchObject({
    name: "sh",
    file: expect.stringMatching(/^\/.*\/sh$/),
  });
  await expect(chooseAgent({ ...config, agents: mine }, {}, undefined)).rejects.toThrow(
    "None of claude, codex, gemini, opencode, aider, cursor-agent, copilot is installed",
  );

  const shell = { SHELL: "/bin/sh" };
  expect(await chooseAgent(config, shell, "shell")).toMatchObject({ name: "shell", file: "/bin/sh" });
  expect((await startableAgents(config, shell)).map(({ name }) => name)).toEqual(["shell"]);
  const without = { ...config, shell: false };
  await expect(chooseAgent(without, shell, "shell")).rejects.toThrow('This device has no agent "shell"');
  expect(await startableAgents(without, shell)).toEqual([]);
  const replaced = {
    ...config,
    agents: { shell: { command: ["sh", "-i"], prompt: "typed" as const, env: {} } },
  };
  expect((await chooseAgent(replaced, { ...shell, ...env }, "shell")).definition.command).toEqual([
    "sh",
    "-i",
  ]);
});
