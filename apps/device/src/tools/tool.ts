import {
  type DeviceToolName,
  type DeviceToolParams,
  type DeviceToolResult,
  deviceTools,
} from "@grove/schemas";
import { ToolError } from "../errors";
import type { Log } from "../log";

/** What a tool has of the command it runs for. */
export interface ToolContext {
  commandId: string;
  /** Aborted when the command is canceled, out of time or given up: end what runs, undo what is half-made, throw. */
  signal: AbortSignal;
  /** A line for whoever waits. Cheap to call often: only the newest is sent, about once a second. */
  progress(message: string, fraction?: number): void;
  /** Writes down what is about to be made, for {@link Tool.recover}. It is on disk when it resolves. */
  note(note: unknown): Promise<void>;
  log: Log;
}

export interface Tool<Name extends DeviceToolName> {
  /** @throws {ToolError} for what the caller gets to read */
  run(params: DeviceToolParams<Name>, context: ToolContext): Promise<DeviceToolResult<Name>>;
  /**
   * Looks after what a crash interrupted, given what was noted: completes, registers or undoes it, and says in a
   * sentence or two what stands now. It may itself be interrupted, and is then called again.
   */
  recover?(notes: readonly unknown[], context: Omit<ToolContext, "note">): Promise<string>;
}

/** All tools of the device, none forgotten. */
export type Tools = { [Name in DeviceToolName]: Tool<Name> };

/**
 * Runs a tool with parameters as they came.
 * @throws {ToolError} `invalid_params`, and what the tool throws
 */
export async function runTool<Name extends DeviceToolName>(
  tools: Tools,
  name: Name,
  params: unknown,
  context: ToolContext,
): Promise<DeviceToolResult<Name>> {
  const parsed = deviceTools[name].params.safeParse(params);
  if (!parsed.success)
    throw new ToolError(
      "invalid_params",
      parsed.error.issues.map((issue) => `${issue.path.join(".") || "params"}: ${issue.message}`).join("; "),
    );
  return tools[name].run(parsed.data as DeviceToolParams<Name>, context);
}
