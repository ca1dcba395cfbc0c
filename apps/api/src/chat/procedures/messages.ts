import {
  type ChatEvent,
  chatEvent,
  chatListMessagesInput,
  chatMessage,
  chatOnMessageInput,
  chatSendMessageInput,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { watchEvents } from "../../events/watch";
import { output, outputEvents } from "../../trpc/output";
import { memberProcedure, waitingMemberProcedure } from "../../trpc/procedures";
import { chatTopic } from "../chatTopic";
import { listMessages, sendMessage } from "../messages";
import { readChatSession } from "../row";

export const messageProcedures = {
  /**
   * Adds a message of the caller to a session. If the session is tied to an agent, the message is first typed to that
   * agent, as by agent.sendInput and with its errors; it has at most 9 999 characters. So every message in such a
   * session has reached the agent.
   * PRECONDITION_FAILED `quota_exceeded`.
   */
  sendMessage: waitingMemberProcedure(chatSendMessageInput)
    .output(output(chatMessage))
    .mutation(({ ctx, input, signal }) =>
      sendMessage(ctx.services, ctx.principal, { ...input, caller: ctx.state.caller ?? "" }, signal),
    ),

  /**
   * A session's messages, newest first. A page ends early at 4 MiB: only a page shorter than both `limit` and 16 is the
   * last.
   */
  listMessages: memberProcedure(chatListMessagesInput)
    .output(output(z.array(chatMessage)))
    .query(({ ctx, input }) => listMessages(ctx.services, input)),

  /**
   * Streams new messages of a session, resumable: those after `lastEventId`, then `ready`, then each message as it is
   * sent. When the session is deleted, `deleted` comes and the stream ends.
   */
  onMessage: memberProcedure(chatOnMessageInput)
    .output(outputEvents(chatEvent))
    .subscription(async function* ({ ctx, input: { organizationId, sessionId, lastEventId }, signal }) {
      await readChatSession(ctx.services.database.db, organizationId, sessionId);
      const topic = chatTopic(organizationId, sessionId);
      for await (const event of watchEvents<ChatEvent>(ctx.services, topic, lastEventId, signal)) {
        yield event;
        if (event[1].type === "deleted") return;
      }
    }),
} satisfies TRPCRouterRecord;
