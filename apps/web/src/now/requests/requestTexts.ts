import type { AgentRequest, AnswerDelivery } from "@grove/schemas";
import { formatClock } from "../../lib/agentSessions/sessionActivity";

/** How a request was settled. */
export type Outcome = Pick<AgentRequest, "status" | "decision" | "scope" | "answeredAt" | "delivery"> & {
  /** The name of the person who answered; undefined if unknown. */
  name: string | undefined;
};

/** Returns what the agent asks for, to follow its name: "needs permission". */
export function verbOf({ kind }: Pick<AgentRequest, "kind">): string {
  if (kind === "question") return "asks a question";
  return kind === "plan" ? "wants approval of its plan" : "needs permission";
}

/** Returns how a request was settled: "Answered by Bob at 14:03: allowed". */
export function outcomeText({ status, decision, scope, answeredAt, name }: Outcome): string {
  const time = answeredAt === null ? "" : ` at ${formatClock(answeredAt)}`;
  switch (status) {
    case "open":
      return "";
    case "answered_there":
      return `Answered in its terminal${time}`;
    case "expired":
      return "Expired. Answer in the agent's terminal.";
    case "withdrawn":
      return "The agent withdrew this request: its session has ended.";
    case "answered": {
      const decisions = {
        allow: scope === "session" ? "allowed for this session" : "allowed",
        deny: "denied",
      };
      const result = decision === "allow" || decision === "deny" ? `: ${decisions[decision]}` : "";
      return `Answered by ${name ?? "a former member"}${time}${result}`;
    }
  }
}

const deliveryTexts = {
  pending: "The agent does not have the answer yet.",
  delivered: "The agent has the answer.",
  gone: "The agent no longer waited for this answer: its own prompt was answered, or it ended.",
  failed: "The answer could not be delivered. Answer in its terminal.",
  unknown: "It is unknown whether the agent has the answer. Read its terminal.",
} satisfies Record<AnswerDelivery, string>;

/** Returns whether the agent got the answer; undefined if no one answered. */
export const deliveryText = ({ delivery }: Pick<AgentRequest, "delivery">): string | undefined =>
  delivery === null ? undefined : deliveryTexts[delivery];

/** Whether an answer was given that the agent did not get, as far as known. */
export const isUndelivered = ({ delivery }: Pick<AgentRequest, "delivery">): boolean =>
  delivery === "gone" || delivery === "failed" || delivery === "unknown";

/** Returns the outcome in the details of a refusal `already_answered`. */
export function outcomeOfRefusal(details: Record<string, unknown> | undefined): Outcome {
  const { name, at, decision, isInTerminal } = details ?? {};
  return {
    status: isInTerminal === true ? "answered_there" : "answered",
    decision: decision === "allow" || decision === "deny" || decision === "answer" ? decision : null,
    scope: null,
    answeredAt: typeof at === "string" ? at : null,
    delivery: null,
    name: typeof name === "string" ? name : undefined,
  };
}
