import { notificationLimits } from "@grove/schemas";
import type { Leased } from "./lease";

/** The content of a sent notification. Without `text`, it has none of the agent's output and questions. */
export interface Message {
  id: string;
  kind: string;
  title: string;
  url: string;
  text?: string;
}

const verbs = {
  asks: "needs input",
  done: "is done",
  limited: "reached a limit",
  failed: "has failed",
};

/** @param consoleUrl the address of the console, without a slash at its end */
export function toMessage(row: Leased, consoleUrl: string): Message {
  const home = `${consoleUrl}/o/${row.slug}`;
  const { id, kind } = row;
  if (kind === "test") return { id, kind, title: "Notifications from Grove arrive here", url: home };
  if (row.is_digest)
    return { id, kind, title: "Many agents need input. Further notifications are held back", url: home };
  const place = row.workspace === null ? "" : ` in ${row.workspace}`;
  const path = row.request_id === null ? `agents/${row.session_id}` : `requests/${row.request_id}`;
  const title = kind === "red" ? `Checks failed${place}` : `${row.agent} ${verbs[kind]}${place}`;
  const message = { id, kind, title, url: `${home}/${path}` };
  return row.text === null ? message : { ...message, text: shortened(row.text) };
}

const shortened = (text: string): string => {
  const characters = [...text.replace(/\s+/g, " ").trim()];
  const { textLength } = notificationLimits;
  return characters.length <= textLength
    ? characters.join("")
    : `${characters.slice(0, textLength - 1).join("")}…`;
};
