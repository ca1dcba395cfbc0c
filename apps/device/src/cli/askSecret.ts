import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/**
 * Asks for a secret on the terminal without showing what is typed.
 * @throws {Error} if there is no terminal to ask on
 */
export async function askSecret(prompt: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new Error("Set API_KEY to an API key of your organization, or run this in a terminal.");
  process.stderr.write(prompt);
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  try {
    return (await terminal.question("")).trim();
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}
