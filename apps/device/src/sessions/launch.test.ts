import fc from "fast-check";
import { expect, it } from "vitest";
import type { AgentCommand } from "../home/config";
import { chooseAgent } from "./agents";
import { pasted } from "./answer";
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

it("a prompt replaces each placeholder and stays within one argument, whatever it holds", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 200 }), (prompt) => {
      expect(launchOf(agent({}), prompt, "/p")).toEqual({
        file: "/bin/me",
        args: [`--say=${prompt}`, "--", prompt],
      });
    }),
  );
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
    cloneHosts: [],
    maxSessions: 1,
    allowRepositoryScripts: false,
    scriptTimeoutSeconds: 1,
  };
  const mine = { sh: { command: ["sh"], prompt: "typed" as const, env: {} } };
  const path = "/usr/bin:/bin";
  expect(await chooseAgent({ ...config, agents: mine, defaultAgent: "sh" }, path, undefined)).toMatchObject({
    name: "sh",
    file: expect.stringMatching(/^\/.*\/sh$/),
  });
  await expect(chooseAgent({ ...config, agents: mine }, "", undefined)).rejects.toThrow(
    "None of claude, codex, gemini, opencode, aider, cursor-agent, copilot is installed",
  );
});
