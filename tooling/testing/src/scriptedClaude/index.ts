import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("program.js", import.meta.url));

/** A step of the scripted agent; `program.js` describes them. */
export type ScriptStep =
  | { hook: [name: string, input?: object] }
  | {
      ask: {
        tool_name: string;
        tool_input: object;
        permission_suggestions?: object[];
        agent_id?: string;
      };
    }
  | { askRounds: number }
  | { print: string }
  | { saveProcess: string }
  | { sleep: number }
  | { key: true }
  | { prompt: true }
  | { work: [path: string, name: string] }
  | { exit: number }
  | { killAfter: number };

/**
 * Writes a program named `claude` into a directory. It does what its prompt scripts, and runs hooks like Claude Code.
 * @returns its path
 */
export async function writeScriptedClaude(directory: string, version = "2.1.331"): Promise<string> {
  const path = join(directory, "claude");
  await writeFile(
    path,
    `#!/bin/sh\nSCRIPTED_CLAUDE_VERSION=${version} exec '${process.execPath}' '${program}' "$@"\n`,
  );
  await chmod(path, 0o755);
  return path;
}

/** The prompt that makes the scripted agent do these steps. */
export const scripted = (...steps: ScriptStep[]): string => JSON.stringify(steps);
