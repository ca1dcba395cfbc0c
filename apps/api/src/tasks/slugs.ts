import { slugOf, withRandomSuffix } from "@grove/auth";
import { id as idSchema } from "@grove/schemas";

const MAX_SLUG_LENGTH = 40;

/** The slugs to try for a title: first a short one made of its first words, then the same with random characters. */
export function* slugsFor(title: string): Generator<string, never> {
  const words = slugOf(title, "task");
  const cut = words.slice(0, MAX_SLUG_LENGTH + 1).replace(/-[^-]*$/, "");
  const short = words.length <= MAX_SLUG_LENGTH ? words : cut.slice(0, MAX_SLUG_LENGTH);
  // A title may be a UUID, but its slug must not be one.
  const slug = idSchema.safeParse(short).success ? `task-${short}` : short;
  yield slug;
  while (true) yield withRandomSuffix(slug);
}
