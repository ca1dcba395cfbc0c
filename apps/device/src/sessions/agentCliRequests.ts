import { codeOf, type DeviceApi } from "../cloud/deviceApi";
import type { AgentCliReply, AgentCliRequest } from "../hooks/agentCli";

/** Asks the API for the agent of a session. A failure becomes a sentence for the agent's terminal. */
export async function askForAgent(
  cloud: DeviceApi,
  sessionId: string,
  request: AgentCliRequest,
): Promise<AgentCliReply> {
  try {
    return { result: await ask(cloud, sessionId, request) };
  } catch (error) {
    return { error: sentenceOf(error, request) };
  }
}

function ask(cloud: DeviceApi, sessionId: string, request: AgentCliRequest): Promise<unknown> {
  switch (request.command) {
    case "comments":
      return cloud.listReviewComments({ sessionId });
    case "answer":
      return cloud.answerComment({ sessionId, ...request.answer });
    case "finish":
      return cloud.finishWork({ sessionId, ...request.work });
  }
}

function sentenceOf(error: unknown, { command }: AgentCliRequest): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  if (code === undefined)
    return `Got no answer from Grove (${message}). It may have the request; sending it again later does no harm.`;
  return command === "answer" && code === "NOT_FOUND"
    ? `${message} \`grove-device agent comments\` lists the open ones.`
    : message;
}
