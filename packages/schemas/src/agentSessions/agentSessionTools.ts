import * as z from "zod";
import { agentAnswer } from "../agentRequests/agentRequest";
import { MINUTE_MS, RESULT_KEPT_MS } from "../durations";
import { failureRoundContent, reviewRoundContent, sentReviewRound } from "../reviews/review";
import { id, line, text } from "../values";
import { answeredScreen, terminalInput, terminalSize } from "./agentSession";

const success = z.strictObject({ success: z.literal(true) });

/** The tools that start agent sessions and act on them; see `deviceTools`. */
export const agentSessionTools = {
  start_agent_session: {
    params: z.strictObject({
      workspaceId: id,
      /** An agent's name in the device's own configuration; the device's default when omitted. */
      agent: line(100).optional(),
      /** Without a prompt, the agent starts as if its name was typed in a terminal. */
      prompt: text(50_000).min(1).optional(),
      taskId: id.optional(),
    }),
    result: z.strictObject({ sessionId: id, agent: z.string(), pid: z.number().int() }),
    timeoutMs: MINUTE_MS,
  },
  /** For a running session: the terminal's screen, preceded by the lines that have scrolled off it. */
  get_agent_screen: {
    params: z.strictObject({
      sessionId: id,
      length: z.number().int().min(100).max(20_000),
      /** The number of characters at the end to leave out, which an earlier call has returned. */
      offset: z.number().int().min(0).default(0),
      /** Waits at most this long for the program to stop printing for a moment. */
      settleMs: z.number().int().min(0).max(5_000).default(0),
    }),
    result: z.strictObject({
      output: z.string(),
      truncated: z.boolean(),
      /** The number of the screen, for send_agent_input. */
      screen: z.number().int(),
    }),
    timeoutMs: MINUTE_MS,
    readOnly: true,
    keptMs: RESULT_KEPT_MS,
  },
  send_agent_input: {
    params: z.strictObject({ sessionId: id, text: terminalInput, screen: answeredScreen }),
    result: success,
    timeoutMs: MINUTE_MS,
    forgets: "text",
  },
  /** Gives review comments, or the failed checks of a commit, to an agent that is idle or done, as one prompt. */
  send_review_round: {
    params: z.strictObject({ sessionId: id, round: z.union([reviewRoundContent, failureRoundContent]) }),
    result: sentReviewRound,
    timeoutMs: MINUTE_MS,
    forgets: "round",
  },
  /** Gives a person's answer to an agent's open request. */
  answer_agent_request: {
    params: z.strictObject({ sessionId: id, requestId: id, answer: agentAnswer }),
    result: success,
    timeoutMs: MINUTE_MS,
    forgets: "answer",
  },
  /** Leaves an open request to the agent's own prompt. */
  release_agent_request: {
    params: z.strictObject({ sessionId: id, requestId: id }),
    result: success,
    timeoutMs: MINUTE_MS,
  },
  resize_agent_session: {
    params: z.strictObject({ sessionId: id, ...terminalSize }),
    result: success,
    timeoutMs: MINUTE_MS,
  },
  stop_agent_session: {
    params: z.strictObject({ sessionId: id }),
    /** `warnings` name the programs that still work in its workspace. */
    result: success.extend({ warnings: z.array(z.string()).optional() }),
    timeoutMs: MINUTE_MS,
  },
} as const;
