import {
  type DeviceToolName,
  type DeviceToolParams,
  type DeviceToolResult,
  deviceTools,
  isDeviceTool,
} from "@grove/schemas";
import { CommandFailure } from "./errors";
import type { Log } from "./log";

/** The user or person who requested something. */
export interface Requester {
  /** A user's id; null for a deleted user, and for a person on this machine. */
  id: string | null;
  /**
   * Whether the requester is the device's owner, or a person on this machine.
   * @throws {CommandFailure} `cloud_unreachable`
   */
  isOwner(): Promise<boolean>;
}

/** The command that a tool runs for, as the tool sees it. */
export interface ToolContext {
  commandId: string;
  requester: Requester;
  /** Aborted when the command is canceled, out of time or given up: end what runs, undo half-made work, throw. */
  signal: AbortSignal;
  /** Reports a line to the waiting caller. Cheap to call often: only the newest is sent, about once a second. */
  progress(message: string, fraction?: number): void;
  /** Records what the tool is about to create, for {@link Tool.recover}. Resolves when the record is on disk. */
  note(note: unknown): Promise<void>;
  log: Log;
}

/** The context of a tool that recovers an interrupted command. */
export type RecoveryContext = Omit<ToolContext, "note" | "requester">;

/** Like {@link ToolContext}, but also for work that a person on this machine requested without a command. */
export type WorkContext = Omit<ToolContext, "commandId"> & { commandId?: string };

export interface Tool<Name extends DeviceToolName> {
  /** @throws {CommandFailure} for failures that the caller gets to read */
  run(params: DeviceToolParams<Name>, context: ToolContext): Promise<DeviceToolResult<Name>>;
  /**
   * Recovers from a crash, given the command's notes: completes, registers or undoes the work. It may itself be
   * interrupted, and is then called again.
   * @returns a sentence or two on the result, or these with the paths that were created
   */
  recover?(notes: readonly unknown[], context: RecoveryContext): Promise<string | Recovered>;
}

/** The result of a recovery. */
export interface Recovered {
  message: string;
  /** Paths that the command has created and that were kept. */
  created?: string[];
}

/** The tools of this agent, which it advertises. The API may know more. */
export type Tools = { [Name in DeviceToolName]?: Tool<Name> };

/** A tool with checked parameters, ready to run. */
export type PreparedTool = (context: ToolContext) => Promise<object>;

/**
 * Finds a tool and checks its parameters, which the API has already checked.
 * @throws {CommandFailure} `unsupported_tool`, `invalid_params`
 */
export function prepareTool(tools: Tools, name: string, params: unknown): PreparedTool {
  if (isDeviceTool(name)) return prepare(tools, name, params);
  throw unsupported(name);
}

const unsupported = (name: string) =>
  new CommandFailure("unsupported_tool", `This grove-device has no tool "${name}".`);

function prepare<Name extends DeviceToolName>(tools: Tools, name: Name, params: unknown): PreparedTool {
  const tool = tools[name];
  if (!tool) throw unsupported(name);
  const parsed = deviceTools[name].params.safeParse(params);
  if (parsed.success) return (context) => tool.run(parsed.data as DeviceToolParams<Name>, context);
  const problems = parsed.error.issues.map(
    (issue) => `${issue.path.join(".") || "params"}: ${issue.message}`,
  );
  throw new CommandFailure("invalid_params", problems.join("; "));
}
