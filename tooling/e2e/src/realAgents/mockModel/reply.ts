/** The command that the model requests first. */
export const COMMAND = "touch made-by-the-model.txt";
/** The text that ends the turn, after the command's result. */
export const LAST_TEXT = "All done.";

/** `other`: a text outside the turn. Agents also ask for titles, without tools. */
export type Reply = "command" | "end" | "other";

export const replyTo = (asked: { hasShell: boolean; hasResult: boolean }): Reply => {
  if (!asked.hasShell) return "other";
  return asked.hasResult ? "end" : "command";
};
