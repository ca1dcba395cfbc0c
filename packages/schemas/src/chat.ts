import * as z from "zod";
import { lastEventId, readyEvent } from "./event";
import { organizationScope } from "./organization";
import { id, name, page, text, timestamp } from "./values";

export const chatSession = z.object({
  id,
  title: z.string(),
  workspaceId: id.nullable(),
  /** The agent that its messages are typed to: whoever may use that agent's device types to it here. */
  agentSessionId: id.nullable(),
  createdBy: id.nullable(),
  lastActiveAt: timestamp,
  createdAt: timestamp,
});
export type ChatSession = z.infer<typeof chatSession>;

/**
 * Messages of the role `agent` are for agents that speak for themselves; none does yet. What an agent's terminal prints
 * is no message: agent.sessionOutput tells that, and the agent's end.
 */
export const chatRole = z.enum(["user", "agent"]);
export type ChatRole = z.infer<typeof chatRole>;

export const chatMessage = z.object({
  id,
  role: chatRole,
  /** Null for an agent's, and once the author's account is gone. */
  authorId: id.nullable(),
  text: z.string(),
  createdAt: timestamp,
});
export type ChatMessage = z.infer<typeof chatMessage>;

export const chatCreateSessionInput = z.strictObject({
  ...organizationScope,
  workspaceId: id.optional(),
  /** The agent that its messages are typed to. */
  agentSessionId: id.optional(),
  title: name.default("New chat"),
});
export const chatListSessionsInput = z.object({ ...organizationScope, ...page });
export const chatGetSessionInput = z.object({ ...organizationScope, id });
export const chatRenameSessionInput = z.strictObject({ ...organizationScope, id, title: name });
export const chatDeleteSessionInput = z.strictObject({ ...organizationScope, id });

/** In a session that is tied to an agent at most 9 999 characters: what a terminal is sent at once. */
export const chatSendMessageInput = z.strictObject({
  ...organizationScope,
  sessionId: id,
  text: text(50_000).refine((value) => value.trim() !== "", "must not be empty"),
});
export const chatListMessagesInput = z.object({ ...organizationScope, sessionId: id, ...page });

export const chatOnMessageInput = z.object({ ...organizationScope, sessionId: id, lastEventId });

/** What chat.onMessage tells. */
export const chatEvent = z.discriminatedUnion("type", [
  readyEvent,
  z.object({ type: z.literal("message"), message: chatMessage }),
  /** The session is gone; the stream ends. */
  z.object({ type: z.literal("deleted") }),
]);
export type ChatEvent = z.infer<typeof chatEvent>;
