import type { RESTOptions } from "@discordjs/rest";
import type { Channel } from "@grove/schemas";
import * as z from "zod";
import { PROVIDER_TIMEOUT_MS } from "../call";
import type { Credentials } from "../credentials";
import type { CallContext } from "../defineProvider";
import { ProviderError } from "../errors";
import { collect } from "../pages";
import type { Messenger } from "../ports";

const MAX_TEXT = 2000;

/** docs.discord.com/developers/resources: channel, guild, message, user. */
const bot = z.object({ id: z.string(), username: z.string() });
const posted = z.object({ id: z.string(), channel_id: z.string(), timestamp: z.string() });
const guilds = z.array(z.object({ id: z.string(), name: z.string() }));
const channels = z.array(
  z.object({
    id: z.string(),
    name: z.string().nullish(),
    type: z.number(),
    permission_overwrites: z.array(z.object({ id: z.string(), deny: z.string() })).default([]),
  }),
);

/** Text and announcement channels. */
const textTypes = [0, 5];
const VIEW_CHANNEL = 1n << 10n;

/** The adapter, on Discord's REST client. */
export async function openDiscord(
  credentials: Credentials,
  { apiUrl, fetch }: CallContext,
): Promise<Messenger> {
  const { REST } = await import("@discordjs/rest");
  type MakeRequest = RESTOptions["makeRequest"];
  if (credentials.type !== "token") throw new ProviderError("unauthorized");
  const rest = new REST({
    version: "10",
    api: apiUrl,
    retries: 0,
    timeout: PROVIDER_TIMEOUT_MS,
    rejectOnRateLimit: () => true,
    // These timers would outlive the call.
    hashSweepInterval: 0,
    handlerSweepInterval: 0,
    makeRequest: (url, init) => fetch(url, init as RequestInit) as ReturnType<MakeRequest>,
  }).setToken(credentials.token);

  async function* channelPages(): AsyncGenerator<Channel[]> {
    for (const guild of guilds.parse(await rest.get("/users/@me/guilds"))) {
      const found = channels.parse(await rest.get(`/guilds/${guild.id}/channels`));
      yield found
        .filter(({ type }) => textTypes.includes(type))
        .map(({ id, name, permission_overwrites: overwrites }) => ({
          id,
          name: `${guild.name} / ${name ?? id}`,
          // The id of the role that everyone has is the guild's id.
          private: overwrites.some(
            (role) => role.id === guild.id && (BigInt(role.deny) & VIEW_CHANNEL) !== 0n,
          ),
        }));
    }
  }

  return {
    account: async () => {
      const { id, username } = bot.parse(await rest.get("/users/@me"));
      return { id, name: username };
    },

    sendMessage: async (channelId, text) => {
      if (!/^\d{1,20}$/.test(channelId))
        throw new ProviderError("not_found", { detail: "a channel's id consists of digits" });
      if (text.length > MAX_TEXT)
        throw new ProviderError("refused", { detail: `a message has at most ${MAX_TEXT} characters` });
      const body = { content: text, allowed_mentions: { parse: ["users"] } };
      const message = posted.parse(await rest.post(`/channels/${channelId}/messages`, { body }));
      return {
        id: message.id,
        channel: message.channel_id,
        url: null,
        sentAt: new Date(message.timestamp).toISOString(),
      };
    },

    listChannels: () => collect(channelPages()),
  };
}
