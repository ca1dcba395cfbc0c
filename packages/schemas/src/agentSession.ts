import * as z from "zod";
import { commandError } from "./command";
import { organizationScope } from "./organization";
import { id, line, page, timestamp } from "./values";

export const agentSessionStatus = z.enum(["running", "exited", "failed", "stopped"]);
export type AgentSessionStatus = z.infer<typeof agentSessionStatus>;

/** How much of a session's output the cloud keeps, and takes at a time. */
export const sessionOutputLimits = { keptBytes: 256 * 1024, chunkLength: 64 * 1024 } as const;

/** A run of a coding agent in a workspace on a device. */
export const agentSession = z.object({
  id,
  deviceId: id,
  /** Null when the workspace was deleted meanwhile. */
  workspaceId: id.nullable(),
  taskId: id.nullable(),
  agent: z.string(),
  status: agentSessionStatus,
  /**
   * The program reads its terminal and has printed nothing for some seconds: it has asked something, or is done with
   * what it was told. Always false once it has ended.
   */
  waitingForInput: z.boolean(),
  /** The program's own, also when it was stopped; null where a signal ended it or it never ran. */
  exitCode: z.number().int().nullable(),
  /** Why it is `failed`, in words. */
  error: commandError.nullable(),
  startedBy: id.nullable(),
  startedAt: timestamp,
  endedAt: timestamp.nullable(),
});
export type AgentSession = z.infer<typeof agentSession>;

export const agentListSessionsInput = z.object({
  ...organizationScope,
  deviceId: id.optional(),
  workspaceId: id.optional(),
  status: agentSessionStatus.optional(),
  ...page,
});
export const agentGetSessionInput = z.object({
  ...organizationScope,
  id,
  /** How long to wait until it waits for input or has ended; 0 answers at once. */
  waitMs: z.number().int().min(0).max(55_000).default(0),
});

/** What a terminal is sent at once. */
export const terminalInput = z
  .string()
  .min(1)
  .max(10_000)
  .refine((value) => !value.includes("\0") && value.isWellFormed(), "must be text without NUL characters");
/** Wide enough for what is printed to be read in lines; whoever watches resizes. */
export const initialTerminalSize = { columns: 120, rows: 40 } as const;
export const terminalSize = {
  columns: z.number().int().min(1).max(1_000),
  rows: z.number().int().min(1).max(1_000),
};
export const agentSendInputInput = z.strictObject({ ...organizationScope, id, text: terminalInput });
export const agentResizeSessionInput = z.strictObject({ ...organizationScope, id, ...terminalSize });
export const agentStopSessionInput = z.strictObject({ ...organizationScope, id });

const int32 = 2_147_483_647;
const sequence = z.number().int().min(1).max(int32);

export const agentSessionOutputInput = z.object({
  ...organizationScope,
  id,
  /** The sequence of the last chunk seen; tRPC's client sends it when it comes back. */
  lastEventId: z.coerce.number().int().min(0).max(int32).optional(),
});
/** What agent.sessionOutput sends: chunks in order, then the end. */
export const sessionOutputEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("output"), sequence: z.number().int(), data: z.string() }),
  z.object({ type: z.literal("end"), session: agentSession }),
]);
export type SessionOutputEvent = z.infer<typeof sessionOutputEvent>;

export const agentSessionTailInput = z.object({
  ...organizationScope,
  id,
  /** How many characters of the output's end to answer with. */
  length: z.number().int().min(1).max(sessionOutputLimits.chunkLength).default(8_000),
});
export const sessionTail = z.object({
  output: z.string(),
  /** Whether there was more before it. */
  truncated: z.boolean(),
  /** The terminal's size, without which what a full-screen program printed cannot be shown. */
  ...terminalSize,
  /** The number of its last chunk, from which agent.sessionOutput goes on; 0 before any. */
  sequence: z.number().int(),
});
export type SessionTail = z.infer<typeof sessionTail>;

/** Terminals print anything: what PostgreSQL's text would refuse is mended, not refused. */
const terminalOutput = z
  .string()
  .max(sessionOutputLimits.chunkLength)
  .transform((value) => value.replaceAll("\0", "").toWellFormed());

/**
 * What a device says of a session. Chunks are numbered from 1 and sent one after the other; one that is sent again
 * changes nothing.
 */
export const agentReportSessionInput = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("start"),
    id,
    /** The device's journal: when another one takes its place, its sessions have ended. */
    journalId: id,
    workspaceId: id,
    agent: line(100),
    /** The start_agent_session that it was begun for: who asked for that has started it. */
    commandId: id.optional(),
  }),
  z.strictObject({ type: z.literal("output"), id, sequence, data: terminalOutput }),
  z.strictObject({ type: z.literal("waiting"), id, waitingForInput: z.boolean() }),
  z.strictObject({
    type: z.literal("end"),
    id,
    status: agentSessionStatus.exclude(["running"]),
    exitCode: z.number().int().min(-int32).max(int32).optional(),
    /** Goes with `failed`. */
    error: commandError.optional(),
  }),
]);

/** agent.sessionSecrets: for a start_agent_session that this device has and has not ended. */
export const agentSessionSecretsInput = z.strictObject({ commandId: id });
