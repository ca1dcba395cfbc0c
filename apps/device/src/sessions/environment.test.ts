import { expect, it } from "vitest";
import { sessionEnvironment } from "./environment";

const sources = {
  sessionId: "s1",
  programEnv: { PATH: "/bin", HOME: "/home/ada" },
  passedOn: ["*"],
  agentEnv: {},
};

it.each([
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
  ...["SHELLOPTS", "LESSOPEN", "GCONV_PATH", "OPENSSL_CONF", "OPENSSL_MODULES", "OPENSSL_ENGINES"],
  ...["NODE_EXTRA_CA_CERTS", "NODE_TLS_REJECT_UNAUTHORIZED", "SSL_CERT_FILE", "HTTPS_PROXY", "ALL_PROXY"],
  ...["ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "PYTHONUSERBASE"],
  ...["BUN_OPTIONS", "NPM_CONFIG_REGISTRY", "RUSTC_WRAPPER", "CARGO_HOME", "GOFLAGS", "MAKEFLAGS"],
  ...["JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "DOTNET_STARTUP_HOOKS", "LUA_INIT", "PERL5DB", "PHP_INI_SCAN_DIR"],
  ...["DOCKER_HOST", "KUBECONFIG", "GEMINI_CLI_HOME"],
])("a project's secret %s, which decides what runs on the machine, is refused by name", (name) => {
  const { env, notPassedOn } = sessionEnvironment({ ...sources, secrets: { [name]: "x", API_TOKEN: "t" } });
  expect(notPassedOn).toEqual({ ofTheMachine: [name], notListed: [] });
  expect(env).toMatchObject({ API_TOKEN: "t", PATH: "/bin", GROVE_SESSION_ID: "s1" });
  expect(Object.values(env)).not.toContain("x");
});

it("names that merely begin alike are the project's own, and the device's configuration overrides all", () => {
  const secrets = { PATH_PREFIX: "a", HOMEPAGE: "b", MODEL: "c" };
  const { env, notPassedOn } = sessionEnvironment({
    ...sources,
    secrets,
    agentEnv: { MODEL: "d", PATH: "/own" },
  });
  expect(notPassedOn.ofTheMachine).toEqual([]);
  expect(env).toMatchObject({ PATH_PREFIX: "a", HOMEPAGE: "b", MODEL: "d", PATH: "/own" });
});

it.each([
  ...["DATABASE_URL", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "NPM_TOKEN", "NODE_ENV"],
  ...[
    "CARGO_REGISTRY_TOKEN",
    "NEXT_PUBLIC_API_URL",
    "DOCKER_PASSWORD",
    "MAVEN_PASSWORD",
    "CLAUDE_CODE_OAUTH_TOKEN",
  ],
])("a project's own variables are passed on: %s", (name) => {
  expect(sessionEnvironment({ ...sources, secrets: { [name]: "x" } }).env).toHaveProperty(name, "x");
});

it("only secrets that the device's owner lists are passed on, and never those that control the machine", () => {
  const secrets = {
    DATABASE_URL: "a",
    APP_KEY: "b",
    APP: "c",
    OTHER: "d",
    NODE_OPTIONS: "e",
    "APP.KEY": "f",
  };
  const passedOn = ["DATABASE_URL", "APP_*", "NODE_OPTIONS"];
  const { env, notPassedOn } = sessionEnvironment({ ...sources, secrets, passedOn });
  expect(env).toMatchObject({ DATABASE_URL: "a", APP_KEY: "b" });
  expect(notPassedOn).toEqual({ ofTheMachine: ["NODE_OPTIONS"], notListed: ["APP", "OTHER", "APP.KEY"] });
  expect(Object.keys(env)).toHaveLength(6);
});

it("variables of the device agent's own terminal do not reach the session", () => {
  const programEnv = { ...sources.programEnv, TMUX: "/tmp/tmux", COLUMNS: "40" };
  const { env } = sessionEnvironment({ ...sources, programEnv, secrets: {} });
  expect(env).not.toHaveProperty("TMUX");
  expect(env).not.toHaveProperty("COLUMNS");
});
