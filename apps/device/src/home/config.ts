import { readFile, stat } from "node:fs/promises";
import * as z from "zod";
import { CommandFailure } from "../errors";
import { type Home, isErrno } from "./home";

/** The placeholder for the prompt among an agent's arguments. */
export const PROMPT_PLACEHOLDER = "{prompt}";

const agentCommand = z
  .strictObject({
    /** The program (a name on the PATH, or an absolute path) and its arguments. It is never given to a shell. */
    command: z.array(z.string().min(1).max(10_000)).min(1).max(100),
    /** `argument` replaces `{prompt}`, `stdin` is piped, `typed` is typed when the program reads its terminal. */
    prompt: z.enum(["argument", "stdin", "typed"]).default("argument"),
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
  /** Whether `.grove/setup` and `.grove/teardown` of repositories run on this machine. */
  allowRepositoryScripts: z.boolean().default(false),
  /** How long each script may take. */
  scriptTimeoutSeconds: z.int().min(1).max(3_600).default(300),
  /** Agents in addition to the presets. An entry with a preset's name replaces it. */
  agents: z
    .record(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, "must be a plain name"), agentCommand)
    .default({}),
  /** The agent that runs when the caller names none. The default is the first preset that is installed. */
  defaultAgent: z.string().optional(),
  /** Project secrets that sessions get, with `*`. If unset, the owner's get credentials and addresses, others' none. */
  secrets: z.array(z.string().min(1).max(200)).max(1_000).optional(),
  /** Hosts from which users other than the owner may have repositories cloned, with `*`. */
  cloneHosts: z.array(z.string().min(1).max(300)).max(1_000).default([]),
  /** How many agent sessions may run at a time. */
  maxSessions: z.int().min(0).max(100).default(10),
});
/** The decisions of this machine's owner. */
export type Config = z.infer<typeof config>;

/**
 * Reads `config.json` of a home. It is read at each use, so that a change takes effect immediately. Without the file,
 * the defaults apply.
 * @throws {CommandFailure} `config_invalid`, naming the file and the line or field. Also thrown if others may read the
 * file, since it decides what runs here and may hold keys
 */
export async function readConfig({ configFile: path }: Home): Promise<Config> {
  const content = await readPrivate(path);
  const parsed = config.safeParse(content === undefined ? {} : parseJson(path, content));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    (issue) => `${issue.path.join(".") || "the file"}: ${issue.message}`,
  );
  throw invalid(path, problems.join("; "));
}

async function readPrivate(path: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0)
      throw invalid(path, `other users may read or change it. Run: chmod 600 '${path}'`);
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
    const { message } = error as Error;
    // Node gives the place as a character position, or quotes the text around it.
    const at = /at position (\d+)/.exec(message)?.[1];
    const line = at && `line ${content.slice(0, Number(at)).split("\n").length}: `;
    throw invalid(path, `${line ?? ""}${message}`);
  }
}

const invalid = (path: string, problem: string) =>
  new CommandFailure("config_invalid", `The device's ${path} cannot be used: ${problem}`);
