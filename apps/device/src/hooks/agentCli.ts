import type { Socket } from "node:net";
import { commentAnswer, finishedWork } from "@grove/schemas";
import * as z from "zod";
import { SIGN_OF_LIFE_MS } from "./lines";

/** A request of an agent, which runs `grove-device agent` in the terminal of its session. */
const agentCliRequest = z.discriminatedUnion("command", [
  z.strictObject({ command: z.literal("comments") }),
  z.strictObject({ command: z.literal("answer"), answer: commentAnswer }),
  z.strictObject({ command: z.literal("finish"), work: finishedWork }),
]);
export type AgentCliRequest = z.infer<typeof agentCliRequest>;

/** A line of `grove-device agent`. */
export const agentCliMessage = z.strictObject({ token: z.string().max(100), request: agentCliRequest });
export type AgentCliMessage = z.infer<typeof agentCliMessage>;

/** The last line of the answer: the API's result, or a sentence for the terminal. */
export const agentCliReply = z.union([
  z.strictObject({ error: z.string() }),
  z.strictObject({ result: z.unknown() }),
]);
export type AgentCliReply = z.infer<typeof agentCliReply>;

/** Writes a reply and ends the connection. Until then, empty lines are signs of life. */
export async function sendReply(socket: Socket, reply: Promise<AgentCliReply>): Promise<void> {
  const signs = setInterval(() => socket.write("\n"), SIGN_OF_LIFE_MS);
  socket.on("close", () => clearInterval(signs));
  const line = JSON.stringify(await reply);
  clearInterval(signs);
  socket.end(`${line}\n`);
}
