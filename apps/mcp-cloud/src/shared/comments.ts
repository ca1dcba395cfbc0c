import { allOf, type Client } from "@grove/client";
import { type Member, type TaskActivity, timestamp } from "@grove/schemas";
import * as z from "zod";
import type { Identity } from "../api/apiSession";
import { readMembers } from "./members";

/** The number of comments that get_task returns. */
export const MAX_COMMENTS = 5;
/** The entries of a task's history that are read at a time. */
const PAGE_SIZE = 50;

export const comment = z.strictObject({
  author: z.string(),
  createdAt: timestamp,
  /** Markdown; its first 2 000 characters. */
  body: z.string(),
  /** Whether the body was cut. */
  truncated: z.boolean(),
});
export type Comment = z.infer<typeof comment>;

/** The last comments of a task, newest last. */
export async function readComments(
  client: Client,
  identity: Identity,
  signal: AbortSignal,
  taskId: string,
): Promise<Comment[]> {
  const { organizationId } = identity;
  const newestFirst = allOf((page) =>
    client.task.listActivity.query({ organizationId, id: taskId, ...page, limit: PAGE_SIZE }, { signal }),
  );
  const comments: TaskActivity[] = [];
  for await (const entry of newestFirst) {
    if (entry.kind === "comment") comments.push(entry);
    if (comments.length === MAX_COMMENTS) break;
  }
  const members = comments.length === 0 ? [] : await readMembers(client, identity, signal);
  return comments.toReversed().map((entry) => toComment(entry, members));
}

/** The first 2 000 characters of a comment. They are code points, so that no surrogate pair is split. */
export const shortened = (body: string): string => /^.{0,2000}/su.exec(body)?.[0] ?? "";

function toComment({ body, createdAt, ...actor }: TaskActivity, members: readonly Member[]): Comment {
  const shown = shortened(body ?? "");
  return {
    author: authorName(actor, members),
    createdAt,
    body: shown,
    truncated: shown.length < (body ?? "").length,
  };
}

function authorName(
  { actorKind, actorId }: Pick<TaskActivity, "actorKind" | "actorId">,
  members: readonly Member[],
): string {
  if (actorKind === "integration") return "Integration";
  const name = members.find(({ userId }) => userId === actorId)?.name ?? "A former member";
  return actorKind === "api_key" ? `${name}'s agent` : name;
}
