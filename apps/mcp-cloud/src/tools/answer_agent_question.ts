import { defineTool, ToolError } from "@grove/mcp";
import { answerDelivery, id, questionAnswers } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { readOpenRequests } from "../shared/requests";

export const answerAgentQuestion = defineTool({
  name: "answer_agent_question",
  title: "Answer an agent's question",
  description:
    "Answers the question that a session started by you asks (`request` of get_agent_session). Use it when you know the answer: a person decides on permissions and plans.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    sessionId: id.optional().describe("Session that asks"),
    requestId: id.optional().describe("Instead of sessionId"),
    answers: questionAnswers.describe("For each question, in order: chosen labels, or a text"),
  }),
  output: z.strictObject({
    sessionId: id,
    requestId: id,
    /** Whether the agent has the answer. */
    delivery: answerDelivery.nullable(),
  }),
  async run({ sessionId, requestId: given, answers }, context: ApiContext) {
    const requestId = given ?? (await findQuestion(context, sessionId));
    // A repeated request finds the answer that the first one gave.
    const idempotencyKey = crypto.randomUUID();
    const answered = await context.app.call(
      context,
      (client, { organizationId }, signal) =>
        client.agent.answerRequest.mutate(
          { organizationId, id: requestId, answer: { decision: "answer", answers }, idempotencyKey },
          { signal },
        ),
      { afterLostAnswer: "Check get_agent_session before you try again." },
    );
    return { sessionId: answered.sessionId, requestId, delivery: answered.delivery };
  },
});

/**
 * Returns the open question of a session. If the session has only an open permission request, returns that: the API
 * refuses to answer it, and its error states where a person can.
 * @throws {ToolError} if there is none, or more than one
 */
async function findQuestion(context: ApiContext, sessionId: string | undefined): Promise<string> {
  if (sessionId === undefined)
    throw new ToolError("invalid_input", "Neither sessionId nor requestId is given", "Give one of them.");
  const requests = await readOpenRequests(context, sessionId);
  const questions = requests.filter(({ kind }) => kind === "question");
  const [found = requests[0], ...others] = questions;
  if (!found)
    throw new ToolError(
      "no_question",
      `The agent session ${sessionId} has no open question`,
      "get_agent_session shows its state; send_agent_input types into its terminal.",
    );
  if (others.length > 0)
    throw new ToolError(
      "several_questions",
      `The agent session ${sessionId} asks ${questions.length} times`,
      `Give the requestId of one: ${questions.map(({ id, title }) => `${id} ${JSON.stringify(title)}`).join(", ")}.`,
    );
  return found.id;
}
