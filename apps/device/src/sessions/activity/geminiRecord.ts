import { createHash } from "node:crypto";
import { lstat, readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { CLOCK_SLACK_MS, followRecordFile, type RecordDeps } from "./recordFile";

const meta = z.object({ projectHash: z.string(), kind: z.literal("main").optional() });
const message = z.object({
  id: z.string(),
  type: z.enum(["user", "gemini"]),
  content: z.unknown(),
  toolCalls: z.array(z.unknown()).optional(),
});

/**
 * Follows the record that Gemini CLI writes of its session (`~/.gemini/tmp/<project>/chats/session-*.jsonl`). A message
 * is written when its text is complete; its tool calls are added to it when they have run.
 * @returns a function that ends this
 */
export function followGeminiRecord({ cwd, env, onState }: RecordDeps): () => void {
  const { GEMINI_CLI_HOME, HOME = homedir() } = env;
  const projects = join(GEMINI_CLI_HOME ?? HOME, ".gemini", "tmp");
  const projectHash = createHash("sha256").update(cwd).digest("hex");
  return followRecordFile({
    directories: (startedAt) => changedChats(projects, startedAt),
    fileName: /^session-.*\.jsonl$/,
    isOwn: (firstLine) => meta.safeParse(firstLine).data?.projectHash === projectHash,
    onLine: (line) => {
      const { data } = message.safeParse(line);
      if (!data) return;
      // A text may end the turn, or introduce a tool call, which is not written until it has run.
      const mayEnd = data.type === "gemini" && !data.toolCalls?.length && hasText(data.content);
      onState(mayEnd ? "perhaps_done" : "working");
    },
  });
}

const hasText = (content: unknown): boolean =>
  typeof content === "string" ? content.trim() !== "" : JSON.stringify(content ?? "").includes('"text":"');

/** The directories of records in which a file was made after this time. A project's directory has any name. */
async function changedChats(projects: string, startedAt: number): Promise<string[]> {
  const names = await readdir(projects).catch(() => []);
  const chats = names.map((name) => join(projects, name, "chats"));
  const changed = await Promise.all(
    chats.map(async (path) => {
      const found = await lstat(path).catch(() => undefined);
      return found?.isDirectory() && found.mtimeMs >= startedAt - CLOCK_SLACK_MS ? path : undefined;
    }),
  );
  return changed.filter((path) => path !== undefined);
}
