import { defineProvider } from "../defineProvider";
import { openDiscord } from "./messenger";

export const discord = defineProvider({
  kind: "messenger",
  title: "Discord",
  takes: { token: "a bot's token" },
  apiUrl: "https://discord.com/api",
  open: openDiscord,
});
