import { describe, expect, it } from "vitest";
import * as z from "zod";
import { Exit } from "./errors";
import { fixtureTools } from "./fixture";
import { narrow, readCommandLine, readEnvironment, serverEnv } from "./program";

const program = {
  name: "grove-test",
  version: "1.2.3",
  summary: "A server for tests.",
  environment: { API_URL: "where the API is" },
};

function exitOf(run: () => unknown): Exit {
  try {
    run();
  } catch (error) {
    if (error instanceof Exit) return error;
    throw error;
  }
  throw new Error("it did not exit");
}

describe("readCommandLine", () => {
  it("reads the options that narrow the tools", () => {
    expect(readCommandLine([], program)).toEqual({ readOnly: false, tools: undefined, own: {} });
    expect(readCommandLine(["--read-only", "--tools", "a, b,"], program)).toEqual({
      readOnly: true,
      tools: ["a", "b"],
      own: {},
    });
  });

  it("reads a program's own options", () => {
    const options = { file: { value: "FILE", meaning: "what to read" }, quick: { meaning: "in a hurry" } };
    const own = { ...program, options, commands: ["grove-test check    looks"] };
    expect(readCommandLine(["--file", "a.txt"], own).own).toEqual({ file: "a.txt", quick: undefined });
    expect(readCommandLine(["--quick"], own).own).toEqual({ file: undefined, quick: true });
    const help = exitOf(() => readCommandLine(["--help"], own)).message;
    expect(help).toMatch(/--file FILE +what to read\n/);
    expect(help).toContain("grove-test check    looks");
  });

  it("prints help and version", () => {
    const help = exitOf(() => readCommandLine(["--help"], program));
    expect(help.code).toBe(0);
    expect(help.message).toContain("Usage: grove-test [options]");
    expect(help.message).toMatch(/API_URL +where the API is/);
    expect(help.message).toMatch(/LOG_LEVEL +trace/);
    expect(exitOf(() => readCommandLine(["-v"], program))).toMatchObject({ code: 0, message: "1.2.3" });
  });

  it.each([
    [["--api-key", "x"], "grove-test: Unknown option '--api-key'. Try grove-test --help."],
    [["serve"], "grove-test: Unexpected argument 'serve'. Try grove-test --help."],
    [["--tools"], "grove-test: Option '--tools <value>' argument missing. Try grove-test --help."],
  ])("refuses %j", (argv, message) => {
    expect(exitOf(() => readCommandLine(argv, program))).toMatchObject({ code: 2, message });
  });
});

describe("readEnvironment", () => {
  const shape = { ...serverEnv, API_URL: z.url("must be a URL") };

  it("reports a file of a secret that cannot be read", () => {
    const exit = exitOf(() => readEnvironment(shape, { API_KEY_FILE: "/does/not/exist" }, ["API_KEY"]));
    expect(exit).toMatchObject({ code: 1, message: expect.stringContaining("API_KEY_FILE: ENOENT") });
  });

  // Contract: mcp.environment
  it("fills in defaults and treats empty variables as unset", () => {
    const env = readEnvironment(shape, {
      API_URL: "http://localhost",
      LOG_LEVEL: "",
      TOOLS: "a,b",
      HOME: "/",
    });
    expect(env).toEqual({
      API_URL: "http://localhost",
      LOG_LEVEL: "info",
      READ_ONLY: false,
      TOOLS: ["a", "b"],
    });
  });

  it("reports one line for each wrong variable", () => {
    const exit = exitOf(() =>
      readEnvironment(shape, { API_URL: "x", LOG_LEVEL: "loud", READ_ONLY: "maybe" }),
    );
    expect(exit.code).toBe(1);
    expect(exit.message.split("\n").map((line) => line.split(":")[0])).toEqual([
      "LOG_LEVEL",
      "READ_ONLY",
      "API_URL",
    ]);
  });
});

describe("narrow", () => {
  const names = (...by: { readOnly: boolean; tools: string[] | undefined }[]) =>
    narrow(fixtureTools, ...by).map((tool) => tool.name);

  it("keeps the tools that every narrowing allows", () => {
    expect(names({ readOnly: false, tools: undefined })).toEqual(["echo", "show", "fail", "wait"]);
    expect(names({ readOnly: true, tools: undefined })).toEqual(["show", "fail", "wait"]);
    expect(names({ readOnly: true, tools: undefined }, { readOnly: false, tools: ["wait", "echo"] })).toEqual(
      ["wait"],
    );
  });

  it("refuses unknown tool names, and a selection without tools", () => {
    expect(exitOf(() => names({ readOnly: false, tools: ["ecco"] }))).toMatchObject({
      code: 2,
      message: "No tool ecco. The tools are: echo, show, fail, wait.",
    });
    expect(exitOf(() => names({ readOnly: true, tools: ["echo"] })).code).toBe(2);
  });
});
