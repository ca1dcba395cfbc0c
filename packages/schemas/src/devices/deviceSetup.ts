import * as z from "zod";
import { id, line, text, timestamp } from "../values";

/* The inputs and results of the tools that set up a device: its projects and its agents. */

/** Names of files may hold anything, so only the length is limited. `~` is the home directory of the device's user. */
const path = text(4_096);

export const listDirectoriesParams = z.strictObject({
  path: path.default("").describe("The beginning of a path, as in `~/co`; without one, the home directory"),
});

/** The directories whose path begins with a text, in alphabetical order; at most 50. */
export const listedDirectories = z.strictObject({
  directories: z.array(
    z.strictObject({
      /** Begins as the caller's text does, so that it can replace that text. */
      path: z.string(),
      /** Whether it is the top level of a git repository. */
      isRepository: z.boolean(),
    }),
  ),
  truncated: z.boolean(),
  /** How users run the device's program on that machine, such as `grove-device`. */
  command: z.string(),
});

export const addProjectParams = z.strictObject({ path: path.min(1) });

export const addedProject = z.strictObject({
  project: z.strictObject({
    id,
    name: z.string(),
    slug: z.string(),
    path: z.string(),
    defaultBranch: z.string(),
  }),
  /** Whether the device already had it. */
  alreadyAdded: z.boolean(),
  /** Tasks that remain before the project can be used. */
  warnings: z.array(z.string()),
});

/** The agents that start_agent_session can run on the device, and the well-known ones that are missing there. */
export const listedAgents = z.strictObject({
  /** The file of the device's own agents. */
  configFile: z.string(),
  agents: z.array(
    z.strictObject({
      name: z.string(),
      /** Null if the program is not known to print one. */
      version: z.string().nullable(),
      /** The program's file. */
      path: z.string(),
      /** The agent's origin: the device's config.json, a preset, or the built-in shell. */
      origin: z.enum(["config", "preset", "shell"]),
    }),
  ),
  missing: z.array(
    z.strictObject({
      name: z.string(),
      /** The program that was not found. */
      program: z.string(),
      /** The vendor's command that installs a well-known agent. */
      install: z.string().optional(),
    }),
  ),
});

const space = z.strictObject({ freeBytes: z.number().int().min(0), totalBytes: z.number().int().min(0) });

/** The load and the free space of a machine. */
export const machineStatus = z.strictObject({
  /** The name that the machine has for itself. */
  hostName: z.string(),
  /** The 1-minute load average: the processes that run or wait for a processor or disk. Null on Windows. */
  load: z.number().min(0).nullable(),
  processors: z.number().int().min(1),
  memory: space,
  /** The file system of GROVE_HOME, where workspaces are. Null if it cannot be read. */
  disk: space.nullable(),
  /** When the device agent was started. */
  startedAt: timestamp,
});

/** How an agent gets its prompt: it replaces `{prompt}` among the arguments, is piped, or is typed. */
export const promptWay = z.enum(["argument", "stdin", "typed"]);
export type PromptWay = z.infer<typeof promptWay>;

export const addAgentParams = z.strictObject({
  name: line(100),
  /** The program and its arguments. It is never given to a shell. */
  command: z.array(text(10_000).min(1)).min(1).max(100),
  prompt: promptWay,
});
