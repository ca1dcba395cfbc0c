import { isCodex } from "../../hooks/codex";
import { isGemini } from "../../hooks/gemini";
import { followCodexRecord } from "./codexRecord";
import { followGeminiRecord } from "./geminiRecord";
import type { RecordDeps } from "./recordFile";

/** Follows the record that a session's agent writes. Returns a function that ends this. */
export type FollowRecord = (deps: RecordDeps) => () => void;

/** Returns how to follow the record of the agent that a command runs; undefined if it writes none that is known. */
export function recordOf(command: readonly string[]): FollowRecord | undefined {
  if (isCodex(command)) return followCodexRecord;
  return isGemini(command) ? followGeminiRecord : undefined;
}
