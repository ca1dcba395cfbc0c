import { commandName } from "./env";

/** Rewrites the commands in a text as this installation names them: a launcher may use another name. */
export const asInstalled = (text: string): string =>
  text.replaceAll("`grove-device ", () => `\`${commandName()} `);
