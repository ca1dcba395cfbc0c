import { channel, message, messengerListChannelsInput, messengerSendMessageInput } from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { output } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";
import { callProvider } from "../call";
import { findConnection } from "../connections";

/** Messengers: Slack and Discord. The procedures have the same errors as the code hosts'. */
export const messengerProcedures = {
  /** Sends a text to a channel, by the channel's id; Discord accepts at most 2 000 characters. */
  sendMessage: memberProcedure(messengerSendMessageInput)
    .output(output(message))
    .mutation(async ({ ctx, input }) => {
      const connection = await findConnection(ctx.services.database.db, "messenger", input);
      return callProvider(ctx.services, "messenger", connection, (messenger) =>
        messenger.sendMessage(input.channel, input.text),
      );
    }),

  /** The channels that the connection may see; at most 1 000. */
  listChannels: memberProcedure(messengerListChannelsInput)
    .output(output(z.array(channel)))
    .query(async ({ ctx, input }) => {
      const connection = await findConnection(ctx.services.database.db, "messenger", input);
      return callProvider(ctx.services, "messenger", connection, (messenger) => messenger.listChannels());
    }),
} satisfies TRPCRouterRecord;
