import {
  type DeviceToolName,
  type DeviceToolParams,
  type DeviceToolResult,
  deviceTools,
  isDeviceTool,
} from "@grove/schemas";
import { ToolError } from "../errors";
import type { Log } from "../log";

/** Who asked for something. */
export interface Requester {
  /** A user's id; null for a user who is no more, and for a person on this machine. */
  id: string | null;
  /** Whether it is the device's owner, or a person on this machine. @throws {ToolError} `cloud_unreachable` */
  isOwner(): Promise<boolean>;
}

/** What a tool has of the command it runs for. */
export interface ToolContext {
  commandId: string;
  requester: Requester;
  /** Aborted when the command is canceled, out of time or given up: end what runs, undo what is half-made, throw. */
  signal: AbortSignal;
  /** A line for whoever waits. Cheap to call often: only the newest is sent, about once a second. */
  progress(message: string, fraction?: number): void;
  /** Writes down what is about to be made, for {@link Tool.recover}. It is on disk when it resolves. */
  note(note: unknown): Promise<void>;
  log: Log;
}

/** What a tool has that looks after an interrupted command. */
export type RecoveryContext = Omit<ToolContext, "note" | "requester">;

/** As {@link ToolContext}, also for work that no command asked for but a person on this machine. */
export type WorkContext = Omit<ToolContext, "commandId"> & { commandId?: string };

export interface Tool<Name extends DeviceToolName> {
  /** @throws {ToolError} for what the caller gets to read */
  run(params: DeviceToolParams<Name>, context: ToolContext): Promise<DeviceToolResult<Name>>;
  /**
   * Looks after what a crash interrupted, given what was noted: completes, registers or undoes it, and says in a
   * sentence or two what stands now. It may itself be interrupted, and is then called again.
   */
  recover?(notes: readonly unknown[], context: RecoveryContext): Promise<string>;
}

/** The tools of this agent, which are what it advertises; the cloud may know more. */
export type Tools = { [Name in DeviceToolName]?: Tool<Name> };

/** A tool with its parameters, checked and ready to run. */
export type PreparedTool = (context: ToolContext) => Promise<object>;

/**
 * Finds a tool and checks its parameters, which the cloud has checked before.
 * @throws {ToolError} `unsupported_tool`, `invalid_params`
 */
export function prepareTool(tools: Tools, name: string, params: unknown): PreparedTool {
  if (isDeviceTool(name)) return prepare(tools, name, params);
  throw unsupported(name);
}

const unsupported = (name: string) =>
  new ToolError("unsupported_tool", `This device agent has no tool "${name}".`);

function prepare<Name extends DeviceToolName>(tools: Tools, name: Name, params: unknown): PreparedTool {
  const tool = tools[name];
  if (!tool) throw unsupported(name);
  const parsed = deviceTools[name].params.safeParse(params);
  if (parsed.success) return (context) => tool.run(parsed.data as DeviceToolParams<Name>, context);
  const problems = parsed.error.issues.map(
    (issue) => `${issue.path.join(".") || "params"}: ${issue.message}`,
  );
  throw new ToolError("invalid_params", problems.join("; "));
}
