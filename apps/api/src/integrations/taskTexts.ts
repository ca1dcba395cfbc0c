import { type Issue, taskLimits, webUrl, withoutHidden } from "@grove/schemas";

/** Removes characters that PostgreSQL does not store. */
const storable = (text: string) => text.toWellFormed().replaceAll("\0", "");

/** An issue's title as a task's: one line, within the limits of task.create. */
export const titleOf = ({ title, key }: Pick<Issue, "title" | "key">): string =>
  withoutHidden(
    storable(title).replace(/\s+/g, " ").trim().slice(0, taskLimits.title).toWellFormed(),
  ).trim() || storable(key);

export const descriptionOf = ({ description }: Pick<Issue, "description">): string | null =>
  description === null ? null : storable(description).slice(0, taskLimits.description).toWellFormed();

/** A provider's address as a task keeps it: http or https, or none. Frontends turn it into links. */
export const linkOf = (url: string): string | null => webUrl.safeParse(url).data ?? null;
