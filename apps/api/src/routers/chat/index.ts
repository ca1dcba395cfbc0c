import { router } from "../../trpc/init";
import { listMessages, onMessage, sendMessage } from "./messages";
import { createSession, deleteSession, getSession, listSessions, renameSession } from "./sessions";

export const chatRouter = router({
  createSession,
  listSessions,
  getSession,
  renameSession,
  deleteSession,
  sendMessage,
  listMessages,
  onMessage,
});
