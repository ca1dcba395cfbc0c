import * as z from "zod";
import { DAY_MS, HOUR_MS } from "../durations";
import { MAX_CALL_WAIT_MS } from "../protocol";
import { answeredJson, id, jsonObject, jsonValue, line, page, text, timestamp } from "../values";

export const toolName = z
  .string()
  .max(100)
  .regex(/^[a-z][a-z0-9_]*$/, "must be snake_case");

export const commandStatus = z.enum([
  "queued",
  "claimed",
  "running",
  "succeeded",
  "failed",
  "canceled",
  "expired",
  "timed_out",
  "lost",
]);
export type CommandStatus = z.infer<typeof commandStatus>;

/**
 * All transitions, each one conditional UPDATE; ARCHITECTURE.md draws them. A device's report ends a command in
 * apps/api/src/dispatch/end/completions.ts; everything else that ends one is in packages/db/src/settleCommands.ts.
 *
 * Two times bound a command. Schedule-to-start is how long it may wait until its work begins: for a device that is
 * offline, and on the device for a free slot. Until then it is `queued` or `claimed`, and at the end `expired`.
 * Start-to-close is how long the work may take (`timeoutMs`). During this time it is `running`, and at the end
 * `timed_out`.
 *
 * - `claimed → expired`: the device had no free slot in time, and has not begun it.
 * - `claimed → queued`: the command was not begun, and is sent again. Its row keeps the journal, so `lost` may follow.
 * - `claimed → timed_out`: the device reports a time-out, but its report of the start never arrived.
 * - `lost → …`: a late result from the same journal.
 */
export const commandTransitions = {
  queued: ["claimed", "canceled", "expired", "lost"],
  claimed: ["running", "succeeded", "failed", "canceled", "expired", "timed_out", "lost", "queued"],
  running: ["succeeded", "failed", "canceled", "timed_out", "lost"],
  lost: ["succeeded", "failed", "timed_out"],
  succeeded: [],
  failed: [],
  canceled: [],
  expired: [],
  timed_out: [],
} as const satisfies Record<CommandStatus, readonly CommandStatus[]>;

/** The states that can lead to `to`, for the WHERE of the conditional UPDATE. */
export const statesBefore = (to: CommandStatus): CommandStatus[] =>
  commandStatus.options.filter((from) => {
    const next: readonly CommandStatus[] = commandTransitions[from];
    return next.includes(to);
  });

/** States in which the caller's answer is known. `lost` counts, although the same journal may still correct it. */
export const settledStatuses = ["succeeded", "failed", "canceled", "expired", "timed_out", "lost"] as const;
export const openStatuses = ["queued", "claimed", "running"] as const;
export const isSettled = (status: CommandStatus): boolean =>
  settledStatuses.some((settled) => settled === status);

/** The last lines on a terminal's screen, and the number of that screen. */
export const shownScreen = z.strictObject({ number: z.number().int().min(1), lines: z.string().max(500) });
export type ShownScreen = z.infer<typeof shownScreen>;

/** Why a command failed. `reason` is stable snake_case; `message` names the offending value and the next step. */
export const commandError = z.strictObject({
  reason: line(100),
  message: text(10_000),
  /** The terminal's screen, if an answer was refused for that. */
  screen: shownScreen.optional(),
  /** Paths on the device that the command created and that still exist. Absent if the device has not reported them. */
  created: z.array(text(10_000)).max(1_000).optional(),
});
export type CommandError = z.infer<typeof commandError>;
/** The failure of one item of several. */
export const itemError = commandError.omit({ screen: true, created: true });

export const commandProgress = z.object({
  message: z.string(),
  fraction: z.number().min(0).max(1).nullable(),
  at: timestamp,
});

/** Why the wait ended without a result: no device took the command, none began it, or the work still runs. */
export const waitEnded = z.enum(["not_claimed", "not_started", "still_running"]);

export type WaitEnded = z.infer<typeof waitEnded>;

export const command = z.object({
  id,
  deviceId: id,
  tool: z.string(),
  params: z.record(z.string(), z.unknown()),
  status: commandStatus,
  result: answeredJson,
  error: commandError.nullable(),
  /** The device's result, if it arrived after the command had been settled without it. */
  lateResult: answeredJson,
  /** Since when `result` and `lateResult` are null because they are no longer kept. Then the command must run again. */
  resultRemovedAt: timestamp.nullable(),
  progress: commandProgress.nullable(),
  waitEnded: waitEnded.nullable(),
  requestedBy: id.nullable(),
  /** How many times it was claimed. */
  attempt: z.number().int(),
  createdAt: timestamp,
  claimedAt: timestamp.nullable(),
  startedAt: timestamp.nullable(),
  finishedAt: timestamp.nullable(),
});
export type Command = z.infer<typeof command>;

/** The longest time-out of a command. */
export const MAX_TIMEOUT_MS = HOUR_MS;

export const agentExecuteInput = z.strictObject({
  organizationId: id,
  deviceId: id,
  tool: toolName,
  params: jsonObject,
  /** How long this call waits for the result. */
  waitMs: z.number().int().min(0).max(MAX_CALL_WAIT_MS).default(30_000),
  /** Start-to-close: how long the work may take once it has begun; the tool's own limit when omitted. */
  timeoutMs: z.number().int().min(1_000).max(MAX_TIMEOUT_MS).optional(),
  ifOffline: z.enum(["fail", "queue"]).default("fail"),
  /**
   * Schedule-to-start: how long the command may wait until its work begins, for an offline device or a free slot on it.
   * With `ifOffline: "fail"` it may wait for a slot for 60 s, or for its time-out if that is longer.
   */
  queueTtlMs: z
    .number()
    .int()
    .min(1_000)
    .max(30 * DAY_MS)
    .default(DAY_MS),
  /** For 24 hours and one principal, the same key with the same parameters returns the same command. */
  idempotencyKey: line(200).optional(),
  /** Cancels the command if the caller disconnects while it waits. */
  cancelOnDisconnect: z.boolean().default(false),
});
export type AgentExecuteInput = z.infer<typeof agentExecuteInput>;
export const agentGetCommandInput = z.object({
  organizationId: id,
  id,
  /** How long to wait for the command to settle; 0 answers immediately. */
  waitMs: z.number().int().min(0).max(MAX_CALL_WAIT_MS).default(0),
});
export const agentCancelCommandInput = z.strictObject({ organizationId: id, id });

/** A command in a list, without the fields that may be large. agent.getCommand returns those. */
export const commandListed = command.omit({
  params: true,
  result: true,
  lateResult: true,
  resultRemovedAt: true,
  waitEnded: true,
});
export type CommandListed = z.infer<typeof commandListed>;
export const agentListCommandsInput = z.object({
  organizationId: id,
  deviceId: id.optional(),
  status: commandStatus.optional(),
  /** Only commands of these tools. */
  tools: z.array(toolName).min(1).max(50).optional(),
  /** Excludes commands of these tools, such as send_agent_input. */
  exceptTools: z.array(toolName).min(1).max(50).optional(),
  /** Only commands that this user requested. */
  requestedBy: id.optional(),
  ...page,
});
export type AgentListCommandsInput = z.infer<typeof agentListCommandsInput>;

export const agentWatchCommandInput = z.object({
  organizationId: id,
  id,
  /** The time of the last progress line seen; tRPC's client sends it when it reconnects. */
  lastEventId: z.string().max(100).optional(),
});
/** An event of agent.watchCommand: the newest line of progress whenever it changes, then the settled command. */
export const commandEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("progress"), progress: commandProgress }),
  z.object({ type: z.literal("settled"), command }),
]);
export type CommandEvent = z.infer<typeof commandEvent>;

export const agentStartInput = z.strictObject({ id, journalId: id });
export const agentProgressInput = z.strictObject({
  id,
  journalId: id,
  message: text(1_000),
  fraction: z.number().min(0).max(1).optional(),
  /** The command has not begun: it waits on the device for a free slot. Its state stays `claimed`. */
  waiting: z.literal(true).optional(),
});
export type AgentProgressInput = z.infer<typeof agentProgressInput>;
/** Exactly one of result and error. */
export const agentCompleteInput = z
  .strictObject({
    id,
    journalId: id,
    result: jsonValue.optional(),
    error: commandError.optional(),
    /** The device stopped the command at the cloud's request, and rolled back what was half-made. */
    canceled: z.literal(true).optional(),
  })
  .refine(
    (value) => [value.result, value.error, value.canceled].filter((part) => part !== undefined).length === 1,
    "exactly one of result, error and canceled",
  );
export type AgentCompleteInput = z.infer<typeof agentCompleteInput>;
/** The command's state after the report. Reporting again is harmless. */
export const commandState = z.object({ status: commandStatus });

const counter = z.number().int().min(0).max(2_147_483_647);
export const agentHeartbeatInput = z.strictObject({
  /** The epoch of the stream that carried the heartbeat. A device that never connected has none. */
  epoch: counter.min(1),
  /** The `n` of the heartbeat. */
  beat: counter,
  /** The commands that have begun and whose end is not confirmed. */
  running: z.array(id).max(1000),
  /** The commands that wait for a free slot. */
  waiting: z.array(id).max(1000).default([]),
});
export type AgentHeartbeatInput = z.infer<typeof agentHeartbeatInput>;
/** The commands that the device should stop, or not begin. */
export const heartbeatAnswer = z.object({ canceled: z.array(id), lost: z.array(id) });
export type HeartbeatAnswer = z.infer<typeof heartbeatAnswer>;
