import { fitsOne } from "../patterns";

/** A family of variables, but for those that are only a credential. */
const FAMILY = "_(?!(.*_)?(API_KEY|TOKEN)$).*";

/**
 * Variables that decide which programs run, what these load, whom they believe and where they send things: the machine's
 * own, not a project's. Whoever adds a language or an agent adds its family.
 */
const OF_THE_MACHINE = new RegExp(
  `^(${[
    ...["PATH", "HOME", "SHELL", "USER", "LOGNAME", "PWD", "TERM", "TMPDIR", "TMP", "TEMP", "GNUPGHOME"],
    ...["XDG_.*", "SSH_.*", "GIT_.*", "GROVE_.*"],
    // What shells run or read at their start, or with each command.
    ...["IFS", "ENV", "BASH_.*", "BASHOPTS", "SHELLOPTS", "PS4", "PROMPT_COMMAND", "ZDOTDIR", "CDPATH"],
    // Programs that others start.
    ...["EDITOR", "VISUAL", "PAGER", "MANPAGER", "BROWSER", "LESSOPEN", "LESSCLOSE", "SUDO_.*"],
    // What the loader and language runtimes load, and what compilers and package managers run.
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
    // Whom programs believe, and whom they speak to.
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
    ...[`(CLAUDE|ANTHROPIC|CODEX|OPENAI|GEMINI|OPENCODE|AIDER|CURSOR|COPILOT)${FAMILY}`],
  ].join("|")})$`,
);

/** Of the terminal that the device agent itself may run in. */
const OF_ANOTHER_TERMINAL = ["TMUX", "TMUX_PANE", "STY", "WINDOW", "WINDOWID", "TERMCAP", "COLUMNS", "LINES"];

/** By this variable, which all that a session starts inherits, its processes are found. */
export const SESSION_VARIABLE = "GROVE_SESSION_ID";

interface Sources {
  sessionId: string;
  /** The device agent's own, without its secrets. */
  programEnv: NodeJS.ProcessEnv;
  /** The project's. */
  secrets: Readonly<Record<string, string>>;
  /** Which of them the device's owner lets through, as patterns. */
  passedOn: readonly string[];
  /** Of the device's configuration: it has the last word. */
  agentEnv: Readonly<Record<string, string>>;
}

/** The names of project secrets that a session does not get. */
export interface NotPassedOn {
  /** Whoever may set a project's secrets is not to decide thereby what runs on another person's machine. */
  ofTheMachine: string[];
  notListed: string[];
}

/** The environment of a session, and what of the project's secrets is not in it. */
export function sessionEnvironment({ sessionId, programEnv, secrets, passedOn, agentEnv }: Sources) {
  const listed = Object.keys(secrets).filter((name) => fitsOne(passedOn, name));
  const ofTheMachine = listed.filter((name) => OF_THE_MACHINE.test(name));
  const allowed = new Set(listed.filter((name) => !ofTheMachine.includes(name)));
  const notPassedOn: NotPassedOn = {
    ofTheMachine,
    notListed: Object.keys(secrets).filter((name) => !listed.includes(name)),
  };
  const all: NodeJS.ProcessEnv = {
    ...programEnv,
    COLORTERM: "truecolor",
    ...Object.fromEntries(Object.entries(secrets).filter(([name]) => allowed.has(name))),
    ...agentEnv,
    [SESSION_VARIABLE]: sessionId,
  };
  for (const name of OF_ANOTHER_TERMINAL) delete all[name];
  const env = Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return { env, notPassedOn };
}
