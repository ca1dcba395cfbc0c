import * as z from "zod";
import { reportedRequest, requestLimits } from "../agentRequests/agentRequest";
import { commandError } from "../commands/command";
import { organizationScope } from "../organizations/organization";
import { MAX_CALL_WAIT_MS } from "../protocol";
import { withoutUnseen } from "../text/terminalText";
import { id, line, name, page, timestamp } from "../values";
import { ACTIVITY_DETAIL_LENGTH, activity, activitySource, activityState } from "./activity";
import { MAX_OUTPUTS, MAX_TERMINAL_INPUT } from "./terminalLimits";

export const agentSessionStatus = z.enum(["running", "exited", "failed", "stopped"]);
export type AgentSessionStatus = z.infer<typeof agentSessionStatus>;

/** The most characters of a session's name, and of its last line. */
export const SESSION_LINE_LENGTH = 200;

/** How much of a session's output the cloud keeps, and the longest chunk that it accepts. */
export const sessionOutputLimits = { keptBytes: 256 * 1024, chunkLength: 64 * 1024 } as const;

/** How long a device collects a session's output before it reports again. A full chunk does not wait. */
export const sessionPace = {
  watchedMs: 100,
  unwatchedMs: 5_000,
  /** This much output does not wait even without viewers. */
  unwatchedBytes: 32 * 1024,
} as const;

/** A run of a coding agent in a workspace on a device. */
export const agentSession = z.object({
  id,
  deviceId: id,
  /** Null once the workspace is deleted. */
  workspaceId: id.nullable(),
  taskId: id.nullable(),
  agent: z.string(),
  /**
   * The title of its task, else the first line of its prompt, until it is renamed. Null without either, and for users
   * who may not read its output.
   */
  name: z.string().nullable(),
  /** The last line with text that it printed, without escape sequences, for users who may read its output. */
  lastLine: z.string().nullable(),
  status: agentSessionStatus,
  /**
   * Whether the program reads its terminal and has printed nothing for some seconds. It has probably asked something,
   * or has finished its task. This is a guess: a program may also work in silence. Always false once it has ended.
   */
  waitingForInput: z.boolean(),
  /** The last lines on the screen while the session waits for input. Null for callers who may not read its output. */
  questionText: z.string().nullable(),
  /** The number of the screen with those lines, for agent.sendInput; null if it does not wait. */
  screen: z.number().int().nullable(),
  /**
   * The state of its agent, and how that is known. Null for a plain terminal, and once the session has ended. While its
   * device is offline, this is the last state that was reported.
   */
  activity: activity.nullable(),
  /** The program's own exit code, even if it was stopped; null if a signal ended it or it never ran. */
  exitCode: z.number().int().nullable(),
  /** Why the session `failed`. */
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
  taskId: id.optional(),
  status: agentSessionStatus.optional(),
  ...page,
});
export type AgentListSessionsInput = z.infer<typeof agentListSessionsInput>;
export const agentGetSessionInput = z.object({
  ...organizationScope,
  id,
  /** How long to wait for the session to ask for input or to end; 0 answers immediately. */
  waitMs: z.number().int().min(0).max(MAX_CALL_WAIT_MS).default(0),
});

/** Text that is typed into a terminal with one call. */
export const terminalInput = z
  .string()
  .min(1)
  .max(MAX_TERMINAL_INPUT)
  .refine((value) => !value.includes("\0") && value.isWellFormed(), "must be text without NUL characters");
/** Wide enough to read the output in lines. A viewer resizes the terminal. */
export const initialTerminalSize = { columns: 120, rows: 40 } as const;
export const terminalSize = {
  columns: z.number().int().min(1).max(1_000),
  rows: z.number().int().min(1).max(1_000),
};
/**
 * The number of the screen that the author of an answer saw. The device types nothing if its terminal shows something
 * else, or if an answer was typed already. `live` is for single keys from a person who watches the terminal. Without
 * it, nothing is typed into a program that waits for an answer.
 */
export const answeredScreen = z.union([z.number().int().min(1), z.literal("live")]).optional();

export const agentSendInputInput = z.strictObject({
  ...organizationScope,
  id,
  text: terminalInput,
  screen: answeredScreen,
  /** Like the key of agent.execute: within 24 hours, the same key types nothing again. */
  idempotencyKey: line(200).optional(),
});
export const agentResizeSessionInput = z.strictObject({ ...organizationScope, id, ...terminalSize });
export const agentRenameSessionInput = z.strictObject({ ...organizationScope, id, name });
export const agentStopSessionInput = z.strictObject({ ...organizationScope, id });

const MAX_INT32 = 2_147_483_647;
const sequence = z.number().int().min(1).max(MAX_INT32);

export const agentSessionOutputInput = z.object({
  ...organizationScope,
  id,
  /** The sequence of the last chunk seen; tRPC's client sends it when it reconnects. */
  lastEventId: z.coerce.number().int().min(0).max(MAX_INT32).optional(),
});
const sizeEvent = z.object({ type: z.literal("size"), ...terminalSize });
const outputEvent = z.object({ type: z.literal("output"), sequence: z.number().int(), data: z.string() });
/** A user has typed into the terminal. Sent to viewers about every two seconds while the user types. */
const typingEvent = z.object({ type: z.literal("typing"), userId: id });
const endEvent = z.object({ type: z.literal("end"), session: agentSession });
/**
 * An event of agent.sessionOutput: the terminal's size, first and when it changes; the chunks in order; who types; the
 * end.
 */
export const sessionOutputEvent = z.discriminatedUnion("type", [
  sizeEvent,
  outputEvent,
  typingEvent,
  endEvent,
]);
export type SessionOutputEvent = z.infer<typeof sessionOutputEvent>;

export const agentSessionOutputsInput = z.object({
  ...organizationScope,
  /** The sessions, each with the sequence of the last chunk seen. */
  sessions: z
    .array(z.object({ id, after: z.number().int().min(0).max(MAX_INT32).default(0) }))
    .min(1)
    .max(MAX_OUTPUTS),
});
/** An event of agent.sessionOutput with its session's id, or `refused` in place of a session's output. */
export const sessionOutputsEvent = z.discriminatedUnion("type", [
  sizeEvent.extend({ id }),
  outputEvent.extend({ id }),
  typingEvent.extend({ id }),
  endEvent.extend({ id }),
  z.object({ type: z.literal("refused"), id }),
]);
export type SessionOutputsEvent = z.infer<typeof sessionOutputsEvent>;

export const agentSessionTailInput = z.object({
  ...organizationScope,
  id,
  /** How many characters to return, from the end of the output. */
  length: z.number().int().min(1).max(sessionOutputLimits.chunkLength).default(8_000),
});
export const sessionTail = z.object({
  output: z.string(),
  /** Whether there was more output before it. */
  truncated: z.boolean(),
  /** The terminal's size. The output of a full-screen program cannot be shown without it. */
  ...terminalSize,
  /** The number of the last chunk, after which agent.sessionOutput continues; 0 if there is none yet. */
  sequence: z.number().int(),
});
export type SessionTail = z.infer<typeof sessionTail>;

/** Maximum length of `questionText`. */
export const QUESTION_TEXT_LENGTH = 500;

/** A program may print anything, so text that PostgreSQL cannot store is repaired instead of refused. */
const terminalOutput = z
  .string()
  .max(sessionOutputLimits.chunkLength)
  .transform((value) => value.replaceAll("\0", "").toWellFormed());

/**
 * A device's report on a session. Chunks are numbered from 1 and sent one after the other. A chunk that is sent again
 * changes nothing.
 */
export const agentReportSessionInput = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("start"),
    id,
    /** The device's journal. When another journal replaces it, its sessions have ended. */
    journalId: id,
    workspaceId: id,
    agent: line(100),
    /** The start_agent_session command behind it; its requester becomes the session's starter. */
    commandId: id.optional(),
  }),
  z.strictObject({ type: z.literal("output"), id, sequence, data: terminalOutput }),
  z.strictObject({
    type: z.literal("waiting"),
    id,
    waitingForInput: z.boolean(),
    /** The last lines on the agent's screen, if the agent waits for input. */
    questionText: z.string().max(QUESTION_TEXT_LENGTH).transform(withoutUnseen).optional(),
    /** The number of that screen. */
    screen: sequence.optional(),
  }),
  z.strictObject({
    type: z.literal("state"),
    id,
    /** Counts up. A report with a smaller number changes nothing. */
    number: sequence,
    state: activityState,
    source: activitySource,
    /** How long the agent has been in this state. */
    ageMs: z.number().int().min(0).max(MAX_INT32),
    detail: z
      .string()
      .transform((value) => withoutUnseen(value).slice(0, ACTIVITY_DETAIL_LENGTH))
      .optional(),
    limitedUntil: timestamp.optional(),
    /** All open requests. A request that is no longer among them was answered in the terminal. */
    requests: z.array(reportedRequest).max(requestLimits.open),
  }),
  z.strictObject({
    type: z.literal("end"),
    id,
    status: agentSessionStatus.exclude(["running"]),
    exitCode: z.number().int().min(-MAX_INT32).max(MAX_INT32).optional(),
    /** Only with `failed`. */
    error: commandError.optional(),
  }),
]);
export type AgentReportSessionInput = z.infer<typeof agentReportSessionInput>;

/** agent.reportSession: the report was accepted. `paceMs` is the pause before the next output. */
export const sessionReported = z.object({ success: z.literal(true), paceMs: z.number().int().min(0) });

/** agent.sessionSecrets: names a start_agent_session command that this device has and that has not ended. */
export const agentSessionSecretsInput = z.strictObject({ commandId: id });
