import { type Received, type Reply, useProviderServer } from "./server";

// Without the form of a real token, which scanners would report as leaked.
export const slackToken = "xoxb-not-a-real-token";

/** The part of Slack's Web API (docs.slack.dev/reference/methods) that the adapter uses. */
export async function useSlackApi() {
  const state = { token: slackToken, messages: [] as { channel: string; text: string }[] };
  const channels = [
    { id: "C012AB3CD", name: "general", is_channel: true, is_private: false, is_archived: false },
    { id: "C061EG9T2", name: "random", is_channel: true, is_private: true, is_archived: false },
  ];
  const refused = (error: string): Reply => ({ json: { ok: false, error } });
  const handle = ({ path, headers, body }: Received): Reply | undefined => {
    const form = (typeof body === "object" ? body : {}) as Record<string, string>;
    if (headers.authorization !== `Bearer ${state.token}`) return refused("invalid_auth");
    switch (path) {
      case "/api/auth.test":
        return {
          headers: { "x-oauth-scopes": "chat:write,channels:read,groups:read" },
          json: {
            ok: true,
            url: "https://subarachnoid.slack.com/",
            team: "Subarachnoid Workspace",
            user: "bot",
            team_id: "T0G9PQBBK",
            user_id: "W23456789",
            bot_id: "BZYBOTHED",
            is_enterprise_install: false,
          },
        };
      case "/api/chat.postMessage": {
        const { channel = "", text = "" } = form;
        if (!channels.some(({ id }) => id === channel)) return refused("channel_not_found");
        state.messages.push({ channel, text });
        return {
          json: {
            ok: true,
            channel,
            ts: "1503435956.000247",
            message: { text, bot_id: "BZYBOTHED", type: "message" },
          },
        };
      }
      case "/api/chat.getPermalink":
        return {
          json: {
            ok: true,
            channel: form.channel,
            permalink: "https://ghostbusters.slack.com/archives/C012AB3CD/p1503435956000247",
          },
        };
      case "/api/conversations.list": {
        const second = form.cursor === "dGVhbTpDMDYxRkE1UEI=";
        return {
          json: {
            ok: true,
            channels: second ? channels.slice(1) : channels.slice(0, 1),
            response_metadata: { next_cursor: second ? "" : "dGVhbTpDMDYxRkE1UEI=" },
          },
        };
      }
      default:
        return refused("unknown_method");
    }
  };
  const server = await useProviderServer(handle);
  return Object.assign(server, { state, apiUrl: `${server.url}/api/` });
}
