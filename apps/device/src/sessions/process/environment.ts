import { PORT_VARIABLE } from "../../home/portBase";
import { matchesAnyGlob } from "../../lib/patterns";
import { presetVariables } from "../agents";

/** Matches the variables of a family after its prefix, except variables that are only a credential. */
const FAMILY = "_(?!(.*_)?(API_KEY|TOKEN)$).*";

/**
 * Variables that control which programs run, what they load, whom they trust and where they send data. They belong to
 * the machine, not to a project. Support for another language must add its family here; those of agents are in
 * agents.ts.
 */
const MACHINE_VARIABLE = new RegExp(
  `^(${[
    ...["PATH", "HOME", "SHELL", "USER", "LOGNAME", "PWD", "TERM", "TMPDIR", "TMP", "TEMP", "GNUPGHOME"],
    ...["XDG_.*", "SSH_.*", "GIT_.*", "GROVE_.*"],
    // Variables that shells read or run at their start, or with each command.
    ...["IFS", "ENV", "BASH_.*", "BASHOPTS", "SHELLOPTS", "PS4", "PROMPT_COMMAND", "ZDOTDIR", "CDPATH"],
    // Programs that other programs start.
    ...["EDITOR", "VISUAL", "PAGER", "MANPAGER", "BROWSER", "LESSOPEN", "LESSCLOSE", "SUDO_.*"],
    // Code that the loader and language runtimes load, and programs that compilers and package managers run.
    ...[
      "LD_.*",
      "DYLD_.*",
      "GCONV_PATH",
      "GLIBC_.*",
      "LOCPATH",
      "CC",
      "CXX",
      "(LD|C|CXX)FLAGS",
      "MAKE(FLAGS|FILES)",
    ],
    ...[
      "NODE_(?!ENV$|AUTH_TOKEN$).*",
      `(NPM|PNPM|YARN)${FAMILY}`,
      "COREPACK_.*",
      "BUN_.*",
      "DENO_.*",
      "TSX_.*",
    ],
    ...[
      "PYTHON.*",
      "VIRTUAL_ENV",
      "CONDA_.*",
      `(PIP|UV)${FAMILY}`,
      "PERL.*",
      "RUBY.*",
      `(GEM|BUNDLE)${FAMILY}`,
    ],
    ...[
      "JAVA_.*",
      "_JAVA_OPTIONS",
      "JDK_.*",
      "MAVEN_(OPTS|ARGS|CONFIG)",
      "GRADLE_(OPTS|USER_HOME)",
      "DOTNET_.*",
    ],
    ...["LUA_.*", "PHPRC", "PHP_INI.*", "COMPOSER_HOME", "ERL_.*", "R_(HOME|PROFILE|ENVIRON|LIBS).*"],
    ...[`CARGO${FAMILY}`, "RUST.*"],
    ...["GO(FLAGS|PATH|ROOT|BIN|ENV|PROXY|NOPROXY|SUMDB|NOSUMDB|INSECURE|PRIVATE|TOOLCHAIN|WORK|DEBUG|VCS)"],
    // Hosts and certificates that programs trust, and servers that they use.
    ...[
      "OPENSSL_.*",
      "SSL_.*",
      "CURL_.*",
      "REQUESTS_CA_BUNDLE",
      "AWS_(CONFIG_FILE|CA_BUNDLE|ENDPOINT_URL.*)",
    ],
    ...[
      ".*_PROXY",
      ".*_BASE_URL",
      "DOCKER_(HOST|CONFIG|CONTEXT|CERT_PATH|TLS.*)",
      "KUBECONFIG",
      "OLLAMA_HOST",
    ],
    ...[`(${presetVariables.join("|")})${FAMILY}`],
    // Configuration, plug-ins and helpers of any program.
    ...[
      "([^_]+_)*(PAGER|EDITOR|RSH|SSH|PLUGINS?|MODULES|CONFIG|CONFIG_(PATH|FILE|DIR)|RC|OPTIONS|OPTS|PREFIX)",
      "([^_]+_)*(LAUNCHER|WRAPPER|PATH|COMMAND|PRELOAD|STARTUP)",
      "(?!.*(TOKEN|SECRET|PASSWORD|PASS)$)[^_]*(RC|RCPATH|LIBPATH|INIT|FILE)",
      "LESSKEY.*|GH_HOST|ELECTRON_RUN_AS_NODE|EXINIT|VIMINIT",
    ],
  ].join("|")})$`,
  "i",
);

/**
 * Names that look like a credential or an address. Only these are passed on if the device's owner has not listed any.
 * The effect of other names on programs is unknown.
 */
export const CREDENTIALS: readonly string[] = [
  ...[
    "*TOKEN",
    "*_KEY",
    "*_KEY_ID",
    "*_SECRET",
    "*_SECRET_KEY",
    "*_PASSWORD",
    "*_PASS",
    "*_PASSPHRASE",
    "*_PAT",
  ],
  ...["*_CREDENTIALS", "*_DSN", "*_URL", "*_URI", "*_CONNECTION_STRING", "*_CLIENT_ID", "*_ACCOUNT_ID"],
  ...[
    "KEY",
    "SECRET",
    "PASSWORD",
    "PGPASSWORD",
    "*_USER",
    "*_USERNAME",
    "*_HOST",
    "*_PORT",
    "*_DATABASE",
    "NODE_ENV",
  ],
];

/** Variables of the terminal in which the device agent itself may run. */
const OUTER_TERMINAL_VARIABLES = [
  "TMUX",
  "TMUX_PANE",
  "STY",
  "WINDOW",
  "WINDOWID",
  "TERMCAP",
  "COLUMNS",
  "LINES",
];

/** The variable by which a session's processes are found, since everything that it starts inherits it. */
export const SESSION_VARIABLE = "GROVE_SESSION_ID";

interface Sources {
  sessionId: string;
  /** The first of the workspace's ten ports. */
  portBase: number;
  /** The device agent's own environment, without its secrets. */
  programEnv: NodeJS.ProcessEnv;
  /** The project's secrets. */
  secrets: Readonly<Record<string, string>>;
  /** Patterns of the secrets that the device's owner passes on. */
  passedOn: readonly string[];
  /** The environment of the agent in the device's configuration, which overrides all others. */
  agentEnv: Readonly<Record<string, string>>;
  /** The variables by which the agent's hooks reach this device agent. */
  hookEnv: Readonly<Record<string, string>>;
}

/** The names of project secrets that a session does not get. */
export interface NotPassedOn {
  /** Withheld so that users who may set a project's secrets cannot decide what runs on another person's machine. */
  machineVariables: string[];
  notListed: string[];
}

/** The environment of a session, and the project's secrets that are withheld from it. */
export function sessionEnvironment(sources: Sources) {
  const { sessionId, portBase, programEnv, secrets, passedOn, agentEnv, hookEnv } = sources;
  const listed = Object.keys(secrets).filter((name) => matchesAnyGlob(passedOn, name));
  const machineVariables = Object.keys(secrets).filter((name) => MACHINE_VARIABLE.test(name));
  const allowed = new Set(listed.filter((name) => !machineVariables.includes(name)));
  const notPassedOn: NotPassedOn = {
    machineVariables,
    notListed: Object.keys(secrets).filter(
      (name) => !listed.includes(name) && !machineVariables.includes(name),
    ),
  };
  const all: NodeJS.ProcessEnv = {
    ...programEnv,
    COLORTERM: "truecolor",
    ...Object.fromEntries(Object.entries(secrets).filter(([name]) => allowed.has(name))),
    ...agentEnv,
    ...hookEnv,
    [SESSION_VARIABLE]: sessionId,
    [PORT_VARIABLE]: String(portBase),
  };
  for (const name of OUTER_TERMINAL_VARIABLES) delete all[name];
  const env = Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return { env, notPassedOn, secretNames: [...allowed] };
}

/** A line for each kind of project secret that a session does not get. */
export function withheldSecrets({ machineVariables, notListed }: NotPassedOn): string[] {
  const lines = machineVariables.map(
    (name) =>
      `the project's secret ${name} is not passed on: it would control what runs on this machine, or where its data goes`,
  );
  if (notListed.length > 0)
    lines.push(
      `secrets of the project are not passed on: ${notListed.join(", ")}. The device's owner can list them under "secrets" in its config.json`,
    );
  return lines;
}
