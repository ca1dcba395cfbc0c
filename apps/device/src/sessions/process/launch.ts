import { CommandFailure } from "../../errors";
import { PROMPT_PLACEHOLDER } from "../../home/config";
import type { InstalledAgent } from "../agents";

export interface Launch {
  file: string;
  args: string[];
}

/** Linux takes at most 128 KiB in one argument, with the NUL at its end. */
const MAX_ARGUMENT_BYTES = 128 * 1024 - 1;

/**
 * The file and arguments that run an agent, never a shell string.
 * @param promptFile holds the prompt of an agent that reads it from stdin
 * @throws {CommandFailure} `prompt_too_long`
 */
export function launchOf(
  { definition, file }: InstalledAgent,
  prompt: string | undefined,
  promptFile: string,
): Launch {
  const args = definition.command.slice(1);
  if (prompt === undefined) return { file, args: withoutPrompt(args) };
  if (definition.prompt === "argument") {
    const filled = args.map((argument) => argument.replaceAll(PROMPT_PLACEHOLDER, () => prompt));
    if (filled.some((argument) => Buffer.byteLength(argument) > MAX_ARGUMENT_BYTES))
      throw new CommandFailure(
        "prompt_too_long",
        `The prompt has ${Buffer.byteLength(prompt)} bytes; an argument may have at most ${MAX_ARGUMENT_BYTES}. Put it into a file of the workspace and refer to that.`,
      );
    return { file, args: filled };
  }
  // A terminal accepts only 4 096 bytes per line, so stdin is the file itself; output and /dev/tty remain the terminal.
  // The script is constant: file, program and arguments reach it as parameters, which the shell does not read as code.
  if (definition.prompt === "stdin")
    return {
      file: "/bin/sh",
      args: ["-c", 'exec <"$0" && rm -f -- "$0" && exec "$@"', promptFile, file, ...args],
    };
  return { file, args };
}

/** The arguments without those that contain the prompt, and without a `--` that would be left at the end. */
function withoutPrompt(args: string[]): string[] {
  const otherArgs = args.filter((argument) => !argument.includes(PROMPT_PLACEHOLDER));
  return otherArgs.at(-1) === "--" ? otherArgs.slice(0, -1) : otherArgs;
}
