import { expect, it } from "vitest";
import { CREDENTIALS, sessionEnvironment } from "./environment";

const sources = {
  sessionId: "s1",
  portBase: 20_030,
  hookEnv: {},
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
  ...[
    "RIPGREP_CONFIG_PATH",
    "TAR_OPTIONS",
    "PSQLRC",
    "CCACHE_PREFIX",
    "CMAKE_C_COMPILER_LAUNCHER",
    "VIMINIT",
    "EXINIT",
  ],
  ...[
    "LESSKEYIN",
    "FZF_DEFAULT_COMMAND",
    "GH_PAGER",
    "BAT_PAGER",
    "DELTA_PAGER",
    "SYSTEMD_EDITOR",
    "GTK_MODULES",
  ],
  ...[
    "GIO_EXTRA_MODULES",
    "QT_PLUGIN_PATH",
    "RSYNC_RSH",
    "SVN_SSH",
    "HGRCPATH",
    "ANSIBLE_CONFIG",
    "HELM_PLUGINS",
  ],
  ...[
    "TF_CLI_CONFIG_FILE",
    "JULIA_LOAD_PATH",
    "TCLLIBPATH",
    "GCC_EXEC_PREFIX",
    "COMPILER_PATH",
    "PGSERVICEFILE",
  ],
  ...[
    "WGETRC",
    "STARSHIP_CONFIG",
    "GH_HOST",
    "ELECTRON_RUN_AS_NODE",
    "tar_options",
    "https_proxy",
    "Ld_Preload",
  ],
  ...["MYTOOL_EDITOR", "X_PAGER", "ACKRC", "SBT_OPTS"],
])("a project's secret %s, which controls what runs on the machine, is refused by name", (name) => {
  const { env, notPassedOn } = sessionEnvironment({ ...sources, secrets: { [name]: "x", API_TOKEN: "t" } });
  expect(notPassedOn).toEqual({ machineVariables: [name], notListed: [] });
  expect(env).toMatchObject({
    API_TOKEN: "t",
    PATH: "/bin",
    GROVE_SESSION_ID: "s1",
    GROVE_PORT_BASE: "20030",
  });
  expect(Object.values(env)).not.toContain("x");
});

it("names that merely begin alike are the project's own, and the device's configuration overrides all", () => {
  const secrets = { PATH_COUNT: "a", HOMEPAGE: "b", MODEL: "c" };
  const { env, notPassedOn } = sessionEnvironment({
    ...sources,
    secrets,
    agentEnv: { MODEL: "d", PATH: "/own" },
  });
  expect(notPassedOn.machineVariables).toEqual([]);
  expect(env).toMatchObject({ PATH_COUNT: "a", HOMEPAGE: "b", MODEL: "d", PATH: "/own" });
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

it.each([
  ["DATABASE_URL", true],
  ["STRIPE_SECRET_KEY", true],
  ["GITHUB_TOKEN", true],
  ["SENTRY_DSN", true],
  ["AWS_ACCESS_KEY_ID", true],
  ["API_BASE_URL", false],
  ["LEVEL", false],
  ["PARALLEL_SHELL", false],
  ["STARTUP_SCRIPT", false],
])("without a list of the device's owner, %s is passed on: %s", (name, isPassed) => {
  const { env, notPassedOn } = sessionEnvironment({
    ...sources,
    passedOn: CREDENTIALS,
    secrets: { [name]: "x" },
  });
  expect([name in env, Object.values(notPassedOn).flat()]).toEqual([isPassed, isPassed ? [] : [name]]);
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
  expect(notPassedOn).toEqual({ machineVariables: ["NODE_OPTIONS"], notListed: ["APP", "OTHER", "APP.KEY"] });
  expect(Object.keys(env)).toHaveLength(7);
});

it("variables of the device agent's own terminal do not reach the session", () => {
  const programEnv = { ...sources.programEnv, TMUX: "/tmp/tmux", COLUMNS: "40" };
  const { env } = sessionEnvironment({ ...sources, programEnv, secrets: {} });
  expect(env).not.toHaveProperty("TMUX");
  expect(env).not.toHaveProperty("COLUMNS");
});
