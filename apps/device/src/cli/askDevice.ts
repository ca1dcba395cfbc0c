import { connect } from "node:net";
import type { Command } from "commander";
import type * as z from "zod";
import { type AgentMessage, type AgentRequest, agentReply } from "../hooks/agentRequest";
import { readHookEnv } from "../hooks/env";

/** The device agent sends signs of life more often, unless it is stopped. */
const SILENCE_MS = 10_000;

/**
 * Sends a request of this session's agent to the device agent, which asks the API. Outside of a session, it ends as
 * wrong usage.
 * @throws {Error} with a sentence for the terminal
 */
export async function askDevice<T>(
  command: Command,
  request: AgentRequest,
  result: z.ZodType<T>,
): Promise<T> {
  const { path, token } = readHookEnv();
  if (!path || !token)
    command.error(
      "error: this is no agent session. Run it in the terminal of an agent that Grove has started.",
    );
  const message: AgentMessage = { token, request };
  const reply = agentReply.parse(JSON.parse(await exchange(path, JSON.stringify(message))));
  if ("error" in reply) throw new Error(reply.error);
  return result.parse(reply.result);
}

/** Sends a line, and returns the answer's last line. */
async function exchange(path: string, line: string): Promise<string> {
  const socket = connect(path);
  socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error("it does not answer")));
  let isConnected = false;
  socket.once("connect", () => {
    isConnected = true;
  });
  socket.write(`${line}\n`);
  let received = "";
  try {
    for await (const text of socket.setEncoding("utf8")) received += text;
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new Error(
      isConnected
        ? `Got no answer from grove-device (${reason}). It may still carry the request out; sending it again does no harm.`
        : `Could not reach grove-device (${reason}). Check it with \`grove-device status\`, then try again.`,
      { cause: error },
    );
  }
  if (received.trim() !== "") return received;
  throw new Error(
    "The running grove-device did not understand the request: it is older than this command. Restart it, then start another agent session.",
  );
}
