import { type Received, type Reply, useProviderServer } from "./server";

// Without the form of a real token, which scanners would report as leaked.
export const discordToken = "not-a-real-discord-token";

/** The part of Discord's REST API v10 (docs.discord.com/developers) that the adapter uses. */
export async function useDiscordApi() {
  const state = { messages: [] as unknown[] };
  const guild = "197038439483310086";
  const handle = ({ method, path, headers, body }: Received): Reply | undefined => {
    if (headers.authorization !== `Bot ${discordToken}`)
      return { status: 401, json: { message: "401: Unauthorized", code: 0 } };
    const route = `${method} ${path.replace(/^\/api\/v10/, "")}`;
    if (route === "GET /users/@me")
      return { json: { id: "80351110224678912", username: "Nelly", bot: true } };
    if (route === "GET /users/@me/guilds") return { json: [{ id: guild, name: "1337 Krew", owner: false }] };
    if (route === `GET /guilds/${guild}/channels`)
      return {
        json: [
          { id: "41771983423143937", name: "general", type: 0, permission_overwrites: [] },
          {
            id: "155101607195836416",
            name: "staff",
            type: 0,
            permission_overwrites: [{ id: guild, type: 0, allow: "0", deny: "1024" }],
          },
          { id: "199737254929760257", name: "voice", type: 2 },
        ],
      };
    if (route === "POST /channels/41771983423143937/messages") {
      state.messages.push(body);
      return {
        json: {
          id: "334385199974967042",
          channel_id: "41771983423143937",
          content: "Supa Hot",
          timestamp: "2017-07-11T17:27:07.299000+00:00",
          type: 0,
        },
      };
    }
    return undefined;
  };
  const server = await useProviderServer(handle, { message: "Unknown Channel", code: 10003 });
  return Object.assign(server, { state, apiUrl: `${server.url}/api` });
}
