/** Variables that decide which programs run and where they keep their things: the machine's own, not a project's. */
const OF_THE_MACHINE = new RegExp(
  `^(${[
    ...[
      "PATH",
      "HOME",
      "SHELL",
      "USER",
      "LOGNAME",
      "PWD",
      "TERM",
      "TMPDIR",
      "XDG_.*",
      "SSH_.*",
      "GIT_.*",
      "GROVE_.*",
    ],
    // What shells run or read at their start, or with each command.
    ...["IFS", "ENV", "BASH_ENV", "BASHOPTS", "SHELLOPTS", "PS4", "PROMPT_COMMAND", "ZDOTDIR"],
    // Programs that others start.
    ...["EDITOR", "VISUAL", "PAGER", "MANPAGER", "BROWSER", "LESSOPEN", "LESSCLOSE", "SUDO_ASKPASS"],
    // What the loader and language runtimes load.
    ...[
      "LD_.*",
      "DYLD_.*",
      "GCONV_PATH",
      "NODE_OPTIONS",
      "NODE_PATH",
      "PYTHONPATH",
      "PYTHONSTARTUP",
      "PYTHONHOME",
    ],
    ...["PERL5LIB", "PERL5OPT", "RUBYLIB", "RUBYOPT", "JAVA_TOOL_OPTIONS"],
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
  /** Of the device's configuration: it has the last word. */
  agentEnv: Readonly<Record<string, string>>;
}

/**
 * The environment of a session, and the names of those project secrets that it does not get: whoever may set a
 * project's secrets is not to decide thereby what runs on another person's machine.
 */
export function sessionEnvironment({ sessionId, programEnv, secrets, agentEnv }: Sources) {
  const refused = Object.keys(secrets).filter((name) => OF_THE_MACHINE.test(name));
  const allowed = Object.entries(secrets).filter(([name]) => !refused.includes(name));
  const all: NodeJS.ProcessEnv = {
    ...programEnv,
    COLORTERM: "truecolor",
    ...Object.fromEntries(allowed),
    ...agentEnv,
    [SESSION_VARIABLE]: sessionId,
  };
  for (const name of OF_ANOTHER_TERMINAL) delete all[name];
  const env = Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return { env, refused };
}
