import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { succeed } from "@grove/testing/process";

/** The root of the clone that this file is in. */
export const root = dirname(dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url))))));

/** A command of a page, and the output that the page shows for it. */
export interface Command {
  /** The command as it is pasted, with its continuation lines. */
  text: string;
  /** The directory that the prompt shows; empty without one. */
  directory: string;
  output: string;
}

/** A command, and where it is. */
export interface Place extends Command {
  page: string;
  /** The line on which its block begins. */
  line: number;
}

/** Functions that run the commands of pages, by page and by the beginning of the command. */
export type Runs<World> = Record<string, Record<string, (command: Command, world: World) => Promise<void>>>;

/** Every page of the repository: its path from the root, and its text. */
export async function readPages(): Promise<Map<string, string>> {
  const listed = await succeed(["git", "ls-files", "*.md"], { env: { PATH: process.env.PATH }, cwd: root });
  const pages = listed.trim().split("\n");
  return new Map(pages.map((page) => [page, readFileSync(join(root, page), "utf8")]));
}

/** Every command of the pages, in their order: all lines of the blocks that are marked as `sh` or `console`. */
export const commandsOf = (pages: ReadonlyMap<string, string>): Place[] =>
  [...pages].flatMap(([page, text]) =>
    [...text.matchAll(/^( *)```(?:sh|console)\n([\s\S]*?)^\1```$/gm)].flatMap(({ 2: body = "", index }) => {
      const line = text.slice(0, index).split("\n").length;
      return split(body).map((command) => ({ ...command, page, line }));
    }),
  );

/** Returns a table's function for a command, if the table has the command. */
export const runOf = <World>(table: Runs<World>, { page, text }: Place) =>
  Object.entries(table[page] ?? {}).find(([begin]) => text.startsWith(begin))?.[1];

/** Returns the cases of a test: the commands that a table has. */
export const casesOf = <World>(table: Runs<World>, commands: readonly Place[]) =>
  commands.flatMap((command) => {
    const run = runOf(table, command);
    const name = `${command.page}:${command.line}: ${command.text.split("\n")[0]}`;
    return run ? [{ name, run: (world: World) => run(command, world) }] : [];
  });

/** With prompts, what follows a command is its output. Without them, each line is a command. */
function split(body: string): Command[] {
  const lines = body.split("\n");
  const isPrompt = (line: string) => /^\S*\$ /.test(line);
  const isTool = (line: string) => /^[a-z]+(_[a-z]+)+ \{/.test(line);
  const hasPrompts = lines.some((line) => isPrompt(line) || isTool(line));
  const commands: Command[] = [];
  let continues = false;
  for (const line of lines) {
    const last = commands.at(-1);
    if (continues && last) last.text += `\n${line}`;
    else if (isTool(line) || (!hasPrompts && line.trim() !== ""))
      commands.push({ text: line, directory: "", output: "" });
    else if (isPrompt(line)) {
      const [directory = "", ...text] = line.split("$ ");
      commands.push({ text: text.join("$ "), directory, output: "" });
    } else if (last) last.output += `${line}\n`;
    const text = commands.at(-1)?.text ?? "";
    // A call of a tool is JSON, over as many lines as it takes.
    continues = isTool(text) ? !isComplete(text) : line.endsWith("\\");
  }
  return commands;
}

function isComplete(call: string): boolean {
  try {
    JSON.parse(call.slice(call.indexOf("{")));
    return true;
  } catch {
    return false;
  }
}
