import { commandName } from "../env";

/** Rewrites the commands in a text as this installation names them: a launcher may use another name. */
export const withInstalledNames = (text: string): string =>
  text.replaceAll("`grove-device ", () => `\`${commandName()} `);
