import * as z from "zod";
import { DAY_MS, MINUTE_MS } from "../durations";
import { organizationScope } from "../organizations/organization";
import { withoutUnseen } from "../text/terminalText";
import { id, line, page, timestamp } from "../values";

/** An agent requests permission to run a tool, answers to questions, or consent to a plan. */
export const agentRequestKind = z.enum(["permission", "question", "plan"]);
export type AgentRequestKind = z.infer<typeof agentRequestKind>;

/**
 * `answered_there`: in the agent's own terminal. `expired`: not answered in time, so the agent's own prompt decides.
 * `withdrawn`: the session ended.
 */
export const agentRequestStatus = z.enum(["open", "answered", "answered_there", "expired", "withdrawn"]);
export type AgentRequestStatus = z.infer<typeof agentRequestStatus>;

/** For how long an allowance counts: this once, or until the session ends. */
export const allowScope = z.enum(["once", "session"]);
export type AllowScope = z.infer<typeof allowScope>;

/**
 * Whether an answer has reached the agent. `gone`: the agent no longer waited for it, for instance because its own
 * prompt was answered. `failed`: the device never got it. `unknown`: the device ended or was lost in the meantime.
 */
export const answerDelivery = z.enum(["pending", "delivered", "gone", "failed", "unknown"]);
export type AnswerDelivery = z.infer<typeof answerDelivery>;

export const requestLimits = {
  /** Characters of a request's title. */
  titleLength: 2_000,
  /** Characters of what the tool would be given. */
  inputLength: 16_000,
  /** The most requests that a session can have open. */
  open: 8,
  /** The most questions of a request, and the most options of a question. */
  questions: 10,
  /** Characters of a message or an answer to the agent. */
  answerLength: 10_000,
} as const;

/** How long a request waits for an answer. After that, only the agent's own prompt takes one. */
export const REQUEST_EXPIRES_MS = DAY_MS;
/** How long the text of a settled request is kept. */
export const REQUEST_TEXT_KEPT_MS = 5 * MINUTE_MS;

/** A text of an agent: what PostgreSQL cannot store and what hides other text is removed. */
const shown = (length: number) => z.string().max(length).transform(withoutUnseen);
const plain = () => z.string();

const question = <Text extends z.ZodType<string>>(text: (length: number) => Text) =>
  z.strictObject({
    question: text(2_000),
    header: text(200),
    /** Whether several options may be chosen. */
    multiSelect: z.boolean(),
    options: z
      .array(z.strictObject({ label: text(500), description: text(2_000) }))
      .max(requestLimits.questions),
  });
const agentQuestion = question(plain);
export type AgentQuestion = z.infer<typeof agentQuestion>;

/** An open request in a device's report. */
export const reportedRequest = z.strictObject({
  id,
  kind: agentRequestKind,
  tool: shown(200),
  title: shown(requestLimits.titleLength),
  input: shown(requestLimits.inputLength),
  questions: z.array(question(shown)).max(requestLimits.questions),
  isAnswerable: z.boolean(),
  scopes: z.array(allowScope).max(2),
  /** How long ago it was asked. */
  ageMs: z.number().int().min(0),
});
export type ReportedRequest = z.infer<typeof reportedRequest>;

/** A question or request of an agent, and how it was settled. Texts are for users who may read the session's output. */
export const agentRequest = z.object({
  id,
  sessionId: id,
  deviceId: id,
  kind: agentRequestKind,
  /** The tool's name, as the agent calls it. */
  tool: z.string(),
  title: z.string().nullable(),
  /** The input of the tool, for example the whole command. Null five minutes after the request was settled. */
  input: z.string().nullable(),
  questions: z.array(agentQuestion).nullable(),
  /** Whether an answer can be delivered. If not, only the terminal takes one. */
  isAnswerable: z.boolean(),
  /** The allowances that the agent offers. */
  scopes: z.array(allowScope),
  askedAt: timestamp,
  expiresAt: timestamp,
  status: agentRequestStatus,
  decision: z.enum(["allow", "deny", "answer"]).nullable(),
  scope: allowScope.nullable(),
  /** The person who answered. */
  answeredBy: id.nullable(),
  answeredAt: timestamp.nullable(),
  delivery: answerDelivery.nullable(),
  /** The end of the caller's snooze; null if the caller has not snoozed the request, or that time has passed. */
  snoozedUntil: timestamp.nullable(),
});
export type AgentRequest = z.infer<typeof agentRequest>;

export const agentListRequestsInput = z.object({
  ...organizationScope,
  status: agentRequestStatus.optional(),
  sessionId: id.optional(),
  ...page,
});
export type AgentListRequestsInput = z.infer<typeof agentListRequestsInput>;

const answerText = z
  .string()
  .min(1)
  .max(requestLimits.answerLength)
  .refine((value) => !value.includes("\0") && value.isWellFormed(), "must be text without NUL characters");

/** One entry for each question, in order: the labels chosen, or a text of one's own. */
export const questionAnswers = z
  .array(z.array(answerText).min(1).max(requestLimits.questions))
  .min(1)
  .max(requestLimits.questions);

export const agentAnswer = z.discriminatedUnion("decision", [
  z.strictObject({ decision: z.literal("allow"), scope: allowScope.default("once") }),
  z.strictObject({
    decision: z.literal("deny"),
    /** A text for the agent, for example an alternative. */
    message: answerText.optional(),
  }),
  z.strictObject({ decision: z.literal("answer"), answers: questionAnswers }),
]);
export type AgentAnswer = z.infer<typeof agentAnswer>;

export const agentAnswerRequestInput = z.strictObject({
  ...organizationScope,
  id,
  answer: agentAnswer,
  /** Like the key of agent.execute: within 24 hours, the same key answers nothing again. */
  idempotencyKey: line(200).optional(),
});
export const agentReleaseRequestInput = z.strictObject({ ...organizationScope, id });
export const agentGetRequestInput = z.object({ ...organizationScope, id });
export const agentSnoozeRequestInput = z.strictObject({
  ...organizationScope,
  id,
  /** By default in an hour; null ends it. */
  until: timestamp.nullable().optional(),
});
