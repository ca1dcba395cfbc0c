import { distinct, slugOf } from "@grove/auth";
import { id as idSchema, type TaskStatusType } from "@grove/schemas";
import { type RawBuilder, sql } from "kysely";

const MAX_SLUG_LENGTH = 40;

/** The slugs to try for a title: first a short one made of its first words, then the same with random characters. */
export function* slugsFor(title: string): Generator<string, never> {
  const words = slugOf(title, "task");
  const cut = words.slice(0, MAX_SLUG_LENGTH + 1).replace(/-[^-]*$/, "");
  const short = words.length <= MAX_SLUG_LENGTH ? words : cut.slice(0, MAX_SLUG_LENGTH);
  // A title may be a UUID, but its slug must not be one.
  const slug = idSchema.safeParse(short).success ? `task-${short}` : short;
  yield slug;
  while (true) yield distinct(slug);
}

/** Folds a text for searching: letter case and the encoding of accents and widths no longer matter. */
export const foldForSearch = (text: string): string =>
  // The Greek small sigma has a second form at the end of a word.
  text.normalize("NFKC").toLowerCase().replaceAll("ς", "σ");

/** The text of a task that searches match. */
export const searchTextOf = (title: string, description: string | null): string =>
  foldForSearch(`${title}\n${description ?? ""}`);

/**
 * The timestamps that change with a status: `startedAt` when work first starts, `completedAt` while the task is
 * completed.
 */
export const statusTimestamps = (
  type: TaskStatusType,
): { started_at: RawBuilder<string>; completed_at: RawBuilder<string> } => ({
  started_at: type === "started" ? sql`coalesce(tasks.started_at, now())` : sql`tasks.started_at`,
  completed_at: type === "completed" ? sql`coalesce(tasks.completed_at, now())` : sql`null`,
});
