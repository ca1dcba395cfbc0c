import { commandName } from "./env";

/**
 * A text with the commands in it that it says to run, as this installation has them: a launcher may run this program under
 * another name.
 */
export const asInstalled = (text: string): string =>
  text.replaceAll("`grove-device ", () => `\`${commandName()} `);
