import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { id } from "@grove/schemas";
import * as z from "zod";
import type { Home } from "../../home/home";
import { readIfThere, writeFileAtomic } from "../../lib/fileSystem";

const record = z.object({
  id,
  workspaceId: id,
  agent: z.string(),
  startedAt: z.iso.datetime(),
  /** The user who started the session. */
  startedBy: id.nullable().optional(),
  /** Set when the session has ended. Reported until the cloud has confirmed it. */
  end: z
    .object({
      status: z.enum(["exited", "failed", "stopped"]),
      exitCode: z.number().int().optional(),
      error: z.object({ reason: z.string(), message: z.string() }).optional(),
    })
    .optional(),
});
/** The record of a session for after a crash of the device agent. It is written before the agent's program starts. */
export type SessionRecord = z.infer<typeof record>;

const pathOf = (home: Home, sessionId: string) => join(home.sessionsDir, `${sessionId}.json`);

export const writeRecord = (home: Home, session: SessionRecord): Promise<void> =>
  writeFileAtomic(pathOf(home, session.id), `${JSON.stringify(session)}\n`);

export const removeRecord = (home: Home, sessionId: string): Promise<void> =>
  rm(pathOf(home, sessionId), { force: true });

/** All sessions that an earlier device agent began and whose end the cloud has not confirmed. */
export async function readRecords(home: Home): Promise<SessionRecord[]> {
  const names = (await readdir(home.sessionsDir)).filter(
    (name) => name.endsWith(".json") && !name.startsWith("."),
  );
  const contents = await Promise.all(names.map((name) => readIfThere(join(home.sessionsDir, name))));
  return contents.flatMap((content) => {
    const { data } = record.safeParse(parseJson(content ?? ""));
    return data ? [data] : [];
  });
}

/** Records are written whole or not at all, so a file that cannot be parsed is not from this program and is ignored. */
function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
