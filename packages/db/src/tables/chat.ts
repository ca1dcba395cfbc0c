import type { ChatRole } from "@grove/schemas";
import type { DefaultNow } from "./columns";

export interface ChatSessionTable {
  id: string;
  organization_id: string;
  title: string;
  workspace_id: string | null;
  /** The agent session that its messages are typed into. */
  agent_session_id: string | null;
  created_by: string | null;
  last_active_at: DefaultNow;
  created_at: DefaultNow;
}

export interface ChatMessageTable {
  id: string;
  organization_id: string;
  session_id: string;
  role: ChatRole;
  author_id: string | null;
  text: string;
  created_at: DefaultNow;
}
