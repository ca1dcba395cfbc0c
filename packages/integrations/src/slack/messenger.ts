import type { Channel } from "@grove/schemas";
import * as z from "zod";
import type { Credentials } from "../credentials";
import type { CallContext } from "../defineProvider";
import { ProviderError } from "../errors";
import { collect } from "../pages";
import type { Messenger } from "../ports";
import { readScopes } from "../scopes";

const identity = z.object({ team_id: z.string(), team: z.string() });
const posted = z.object({ channel: z.string(), ts: z.string().regex(/^\d+\.\d+$/) });
const channelPage = z.object({
  channels: z.array(z.object({ id: z.string(), name: z.string(), is_private: z.boolean() })),
});

/** The adapter, on Slack's web client. */
export async function openSlack(
  credentials: Credentials,
  { apiUrl, fetch }: CallContext,
): Promise<Messenger> {
  const { default: slack } = await import("@slack/web-api");
  if (credentials.type === "app") throw new ProviderError("unauthorized");
  const token = credentials.type === "token" ? credentials.token : credentials.accessToken;
  const quiet = () => undefined;
  const client = new slack.WebClient(token, {
    slackApiUrl: apiUrl,
    fetch,
    rejectRateLimitedCalls: true,
    retryConfig: { retries: 0 },
    logger: {
      debug: quiet,
      info: quiet,
      warn: quiet,
      error: quiet,
      setLevel: quiet,
      getLevel: () => slack.LogLevel.ERROR,
      setName: quiet,
    },
  });

  async function* channelPages(): AsyncGenerator<Channel[]> {
    const pages = client.paginate("conversations.list", {
      types: "public_channel,private_channel",
      exclude_archived: true,
      limit: 200,
    });
    for await (const found of pages)
      yield channelPage
        .parse(found)
        .channels.map(({ id, name, is_private }) => ({ id, name, private: is_private }));
  }

  return {
    account: async () => {
      const answer = await client.auth.test();
      const { team_id, team } = identity.parse(answer);
      return { id: team_id, name: team, scopes: readScopes(answer.response_metadata?.scopes) };
    },

    sendMessage: async (channelId, text) => {
      const { channel, ts } = posted.parse(await client.chat.postMessage({ channel: channelId, text }));
      const url = await client.chat
        .getPermalink({ channel, message_ts: ts })
        .then(({ permalink }) => permalink ?? null)
        // The message is already sent.
        .catch(() => null);
      return { id: ts, channel, url, sentAt: new Date(Number(ts) * 1000).toISOString() };
    },

    listChannels: () => collect(channelPages()),
  };
}
