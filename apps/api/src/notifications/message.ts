import { mergeReasons, notificationLimits } from "@grove/schemas";
import type { Leased } from "./notificationLease";

/** The content of a notification. Without `text`, it contains nothing of the agent's output and questions. */
export interface Message {
  id: string;
  kind: string;
  title: string;
  url: string;
  text?: string;
}

const verbs = {
  needs_input: "needs input",
  done: "is done",
  limited: "reached a limit",
  failed: "has failed",
};

/** @param consoleUrl the address of the console, without a trailing slash */
export function toMessage(row: Leased, consoleUrl: string): Message {
  const home = `${consoleUrl}/o/${row.slug}`;
  const { id, kind } = row;
  if (kind === "test") return { id, kind, title: "Notifications from Grove arrive here", url: home };
  if (row.is_digest)
    return {
      id,
      kind,
      title: "Many agents need input. Notifications are paused for up to an hour",
      url: home,
    };
  if (kind === "merged" || kind === "blocked") return { id, kind, ...mergeMessage(row, home) };
  const place = row.workspace === null ? "" : ` in ${row.workspace}`;
  const path = row.request_id === null ? `agents/${row.session_id}` : `requests/${row.request_id}`;
  const title = kind === "checks_failed" ? `Checks failed${place}` : `${row.agent} ${verbs[kind]}${place}`;
  const message = { id, kind, title, url: `${home}/${path}` };
  return row.text === null ? message : { ...message, text: shortened(row.text) };
}

function mergeMessage({ merge }: Leased, home: string): Pick<Message, "title" | "url"> {
  if (!merge) return { title: "A merge that you requested has ended", url: home };
  const { number, branch, base, reason, workspaceId } = merge;
  const pull = `Pull request #${number} of ${branch}`;
  const title =
    reason === null
      ? `${pull} was merged into ${base}`
      : `${pull} was not merged: ${mergeReasons[reason].reason}`;
  return { title, url: workspaceId === null ? home : `${home}/workspaces/${workspaceId}` };
}

const shortened = (text: string): string => {
  const characters = [...text.replace(/\s+/g, " ").trim()];
  const { textLength } = notificationLimits;
  return characters.length <= textLength
    ? characters.join("")
    : `${characters.slice(0, textLength - 1).join("")}…`;
};
