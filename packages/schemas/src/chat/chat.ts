import * as z from "zod";
import { lastEventId, readyEvent } from "../event";
import { organizationScope } from "../organizations/organization";
import { id, name, page, text, timestamp } from "../values";

export const chatSession = z.object({
  id,
  title: z.string(),
  workspaceId: id.nullable(),
  /** The agent session that receives the messages as typed input, from anyone who may use its device. */
  agentSessionId: id.nullable(),
  createdBy: id.nullable(),
  lastActiveAt: timestamp,
  createdAt: timestamp,
});
export type ChatSession = z.infer<typeof chatSession>;

/**
 * The role `agent` is reserved for agents that write messages themselves; none does yet. The output of an agent's
 * terminal is not a message: agent.sessionOutput streams it, and the agent's end.
 */
export const chatRole = z.enum(["user", "agent"]);
export type ChatRole = z.infer<typeof chatRole>;

export const chatMessage = z.object({
  id,
  role: chatRole,
  /** Null for an agent's message, and once the author's account is deleted. */
  authorId: id.nullable(),
  text: z.string(),
  createdAt: timestamp,
});
export type ChatMessage = z.infer<typeof chatMessage>;

export const chatCreateSessionInput = z.strictObject({
  ...organizationScope,
  workspaceId: id.optional(),
  /** The agent session that receives the messages as typed input. */
  agentSessionId: id.optional(),
  title: name.default("New chat"),
});
export type ChatCreateSessionInput = z.infer<typeof chatCreateSessionInput>;
export const chatListSessionsInput = z.object({ ...organizationScope, ...page });
export type ChatListSessionsInput = z.infer<typeof chatListSessionsInput>;
export const chatGetSessionInput = z.object({ ...organizationScope, id });
export const chatRenameSessionInput = z.strictObject({ ...organizationScope, id, title: name });
export type ChatRenameSessionInput = z.infer<typeof chatRenameSessionInput>;
export const chatDeleteSessionInput = z.strictObject({ ...organizationScope, id });
export type ChatDeleteSessionInput = z.infer<typeof chatDeleteSessionInput>;

/** In a chat with an agent at most 9 999 characters: the limit of terminal input, less the Enter key. */
export const chatSendMessageInput = z.strictObject({
  ...organizationScope,
  sessionId: id,
  text: text(50_000).refine((value) => value.trim() !== "", "must not be empty"),
});
export type ChatSendMessageInput = z.infer<typeof chatSendMessageInput>;
export const chatListMessagesInput = z.object({ ...organizationScope, sessionId: id, ...page });
export type ChatListMessagesInput = z.infer<typeof chatListMessagesInput>;

export const chatOnMessageInput = z.object({ ...organizationScope, sessionId: id, lastEventId });

/** An event of chat.onMessage. */
export const chatEvent = z.discriminatedUnion("type", [
  readyEvent,
  z.object({ type: z.literal("message"), message: chatMessage }),
  /** The session was deleted; the stream ends. */
  z.object({ type: z.literal("deleted") }),
]);
export type ChatEvent = z.infer<typeof chatEvent>;
