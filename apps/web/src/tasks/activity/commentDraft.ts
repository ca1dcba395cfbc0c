import { useState } from "react";
import { newId } from "../../lib/newId";

export interface CommentDraft {
  text: string;
  /** Identifies this text, so that sending it again after a lost response adds no second comment. */
  commentId: string;
}

/** Drafts by user and task, kept while the tab is open. */
const drafts = new Map<string, CommentDraft>();

const newUuid = () => newId().replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
const draftOf = (text: string): CommentDraft => ({ text, commentId: newUuid() });

/** The user's unsent comment on a task. It is kept when the page is left. */
export function useCommentDraft(userId: string, taskId: string) {
  const key = `${userId} ${taskId}`;
  const [draft, setDraft] = useState(() => drafts.get(key) ?? draftOf(""));
  return {
    draft,
    setText: (text: string) => {
      const next = draftOf(text);
      drafts.set(key, next);
      setDraft(next);
    },
    /** Clears the draft once it was sent, unless the user has changed it since. */
    clear: (sent: CommentDraft) => {
      if (drafts.get(key)?.commentId === sent.commentId) drafts.delete(key);
      setDraft((current) => (current.commentId === sent.commentId ? draftOf("") : current));
    },
  };
}
