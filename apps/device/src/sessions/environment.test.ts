import { expect, test } from "vitest";
import { sessionEnvironment } from "./environment";

const sources = { sessionId: "s1", programEnv: { PATH: "/bin", HOME: "/home/ada" }, agentEnv: {} };

test.each([
  ...[
    "PATH",
    "LD_PRELOAD",
    "GIT_SSH_COMMAND",
    "GROVE_SESSION_ID",
    "NODE_OPTIONS",
    "BASH_ENV",
    "ZDOTDIR",
    "PS4",
  ],
  ...["SHELLOPTS", "LESSOPEN", "GCONV_PATH"],
])("a project's secret %s, which decides what runs on the machine, is refused by name", (name) => {
  const { env, refused } = sessionEnvironment({ ...sources, secrets: { [name]: "x", API_TOKEN: "t" } });
  expect(refused).toEqual([name]);
  expect(env).toMatchObject({ API_TOKEN: "t", PATH: "/bin", GROVE_SESSION_ID: "s1" });
  expect(Object.values(env)).not.toContain("x");
});

test("names that only begin alike are a project's own, and the device's configuration has the last word", () => {
  const secrets = { PATH_PREFIX: "a", HOMEPAGE: "b", MODEL: "c" };
  const { env, refused } = sessionEnvironment({
    ...sources,
    secrets,
    agentEnv: { MODEL: "d", PATH: "/own" },
  });
  expect(refused).toEqual([]);
  expect(env).toMatchObject({ PATH_PREFIX: "a", HOMEPAGE: "b", MODEL: "d", PATH: "/own" });
});

test("the terminal that the device agent runs in is not the session's", () => {
  const programEnv = { ...sources.programEnv, TMUX: "/tmp/tmux", COLUMNS: "40" };
  const { env } = sessionEnvironment({ ...sources, programEnv, secrets: {} });
  expect(env).not.toHaveProperty("TMUX");
  expect(env).not.toHaveProperty("COLUMNS");
});
