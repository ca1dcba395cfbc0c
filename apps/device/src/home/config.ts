import { readFile, realpath, stat } from "node:fs/promises";
import { messageOf, promptWay } from "@grove/schemas";
import * as z from "zod";
import { CommandFailure } from "../errors";
import { isErrno, writeFileAtomic } from "../lib/fileSystem";
import type { Home } from "./home";

/** The placeholder for the prompt among an agent's arguments. */
export const PROMPT_PLACEHOLDER = "{prompt}";

const agentCommand = z
  .strictObject({
    /** The program (a name on the PATH, or an absolute path) and its arguments. It is never given to a shell. */
    command: z.array(z.string().min(1).max(10_000)).min(1).max(100),
    /**
     * `argument`: the prompt replaces `{prompt}`. `stdin`: it is piped. `typed`: it is typed when the program reads its
     * terminal.
     */
    prompt: promptWay.default("argument"),
    env: z
      .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be a variable's name"), z.string())
      .default({}),
  })
  .refine(
    ({ command, prompt }) =>
      (prompt === "argument") === command.slice(1).some((argument) => argument.includes(PROMPT_PLACEHOLDER)),
    {
      path: ["command"],
      message: `must have ${PROMPT_PLACEHOLDER} among its arguments exactly when prompt is "argument"`,
    },
  );
/** How to run a coding agent. */
export type AgentCommand = z.infer<typeof agentCommand>;

const config = z.strictObject({
  /** Whether `.grove/setup`, `.grove/teardown` and `.grove/check` of repositories run on this machine. */
  allowRepositoryScripts: z.boolean().default(false),
  /** How long each script may take. */
  scriptTimeoutSeconds: z.int().min(1).max(3_600).default(300),
  /** Agents in addition to the presets. An entry with a preset's name replaces it. */
  agents: z
    .record(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, "must be a plain name"), agentCommand)
    .default({}),
  /** Whether the built-in agent `shell` can be started: a terminal without a coding agent. */
  shell: z.boolean().default(true),
  /** The agents that report what they do, by hooks that only their sessions get. */
  hooks: z
    .strictObject({
      claude: z.boolean().default(true),
      opencode: z.boolean().default(true),
      /** The hooks of Codex to which the owner has consented, by their hash. */
      codex: z
        .union([z.literal(false), z.string().regex(/^sha256:[0-9a-f]{64}$/)], {
          error: "must be false, or what `grove-device agents enable codex` has written",
        })
        .default(false),
    })
    .prefault({}),
  /** The agent that runs when the caller names none. The default is the first preset that is installed. */
  defaultAgent: z.string().optional(),
  /** Project secrets that sessions get, with `*`. If unset, the owner's get credentials and addresses, others' none. */
  secrets: z.array(z.string().min(1).max(200)).max(1_000).optional(),
  /** Hosts from which users other than the owner may have repositories cloned, with `*`. */
  cloneHosts: z.array(z.string().min(1).max(300)).max(1_000).default([]),
  /** How many agent sessions may run at a time. */
  maxSessions: z.int().min(0).max(100).default(10),
  /** False switches restore points off: commits under `refs/grove/` of the repositories. */
  restorePoints: z.boolean().optional(),
});
/** The decisions of this machine's owner. */
export type Config = z.infer<typeof config>;

/**
 * Reads `config.json` of a home. It is read at each use, so that a change takes effect immediately. Without the file,
 * the defaults apply.
 * @throws {CommandFailure} `config_invalid`, naming the file and the line or field. Also thrown if others may read the
 * file, since it decides what runs here and may hold keys
 */
export const readConfig = async ({ configFile: path }: Home): Promise<Config> =>
  checked(path, await readJson(path));

/**
 * Adds an agent to `config.json`, and keeps everything else in the file.
 * @throws {CommandFailure} `agent_exists`, `agent_invalid`; `config_invalid` if the file is already wrong;
 * `shell_off` if the owner has switched the shell off, since an agent can be any command
 */
export async function addAgent(
  { configFile: path }: Home,
  name: string,
  agent: Pick<AgentCommand, "command" | "prompt">,
): Promise<void> {
  const json = await readJson(path);
  const { agents, shell } = checked(path, json);
  if (!shell)
    throw new CommandFailure(
      "shell_off",
      `The device's ${path} disables the shell, so agents can be added only by hand.`,
    );
  if (Object.hasOwn(agents, name))
    throw new CommandFailure("agent_exists", `The device's ${path} already has an agent "${name}".`);
  const { agents: entries, ...others } = asWritten.parse(json);
  const changed = { ...others, agents: { ...entries, [name]: agent } };
  const { error } = config.safeParse(changed);
  if (error) throw new CommandFailure("agent_invalid", `The agent cannot be added: ${problemsIn(error)}`);
  await writeJson(path, changed);
}

/**
 * Stores in `config.json` to which hooks of Codex the owner has consented, and keeps everything else in the file.
 * @param consent their hash; false for none
 * @throws {CommandFailure} `config_invalid`
 */
export async function setCodexConsent({ configFile: path }: Home, consent: string | false): Promise<void> {
  const json = await readJson(path);
  checked(path, json);
  const { hooks, ...others } = asWritten.parse(json);
  await writeJson(path, { ...others, hooks: { ...hooks, codex: consent } });
}

async function writeJson(path: string, content: object): Promise<void> {
  // The file may be a link into the user's own repository.
  const file = await realpath(path).catch(() => path);
  await writeFileAtomic(file, `${JSON.stringify(content, null, 2)}\n`);
}

/** The file as its owner wrote it, without the defaults. */
const asWritten = z.looseObject({
  agents: z.record(z.string(), z.unknown()).optional(),
  hooks: z.record(z.string(), z.unknown()).optional(),
});

function checked(path: string, json: unknown): Config {
  const { data, error } = config.safeParse(json);
  if (error) throw invalid(path, problemsIn(error));
  return data;
}

const problemsIn = ({ issues }: z.ZodError): string =>
  issues.map((issue) => `${issue.path.join(".") || "the file"}: ${issue.message}`).join("; ");

async function readJson(path: string): Promise<unknown> {
  const content = await readPrivate(path);
  return content === undefined ? {} : parseJson(path, content);
}

async function readPrivate(path: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0)
      throw invalid(path, `other users can read or change it. Run: chmod 600 '${path}'`);
    return await readFile(path, "utf8");
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  }
}

function parseJson(path: string, content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    const message = messageOf(error);
    // Node gives the place as a character position, or quotes the text around it.
    const at = /at position (\d+)/.exec(message)?.[1];
    const line = at && `line ${content.slice(0, Number(at)).split("\n").length}: `;
    throw invalid(path, `${line ?? ""}${message}`);
  }
}

const invalid = (path: string, problem: string) =>
  new CommandFailure("config_invalid", `The device's ${path} cannot be used: ${problem}`);
