import { type AgentRequest, agentRequestKind, id } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";

/** An open request of an agent, as results show it. */
export const openRequest = z.strictObject({
  id,
  kind: agentRequestKind,
  title: z.string().nullable(),
  /** Questions with their options. The output schema leaves out their fields, which explain themselves. */
  questions: z.unknown().optional(),
  /** Whether the request can be answered here. If not, only the terminal takes an answer. */
  isAnswerable: z.boolean(),
});

/** The open requests of a session, newest first. */
export const readOpenRequests = (context: ApiContext, sessionId: string): Promise<AgentRequest[]> =>
  context.app.call(context, (client, { organizationId }, signal) =>
    client.agent.listRequests.query({ organizationId, sessionId, status: "open" }, { signal }),
  );

export const toOpenRequest = ({
  id,
  kind,
  title,
  questions,
  isAnswerable,
}: AgentRequest): z.infer<typeof openRequest> => ({
  id,
  kind,
  title,
  ...(questions &&
    questions.length > 0 && {
      questions: questions.map(({ question, multiSelect, options }) => ({ question, multiSelect, options })),
    }),
  isAnswerable,
});
