import { at, device, id, organization, type SampleTable, text, user } from "./values";

/** Agent sessions, their requests, and chats. */
export const agentSessions: Record<string, SampleTable> = {
  agent_sessions: {
    share: 0,
    columns: "organization_id, id, device_id, workspace_id, agent, status, created_at, ended_at",
    select: `${organization("n")}, ${id("'agent' || n % 3")}, ${device("n")}, ${id("'workspace' || n % 3")}, 'claude', 'exited', ${at("n")}, ${at("n + 1")}`,
  },
  agent_session_output: {
    share: 130,
    columns: "organization_id, session_id, sequence, data, end_byte",
    select: `${organization("n")}, ${id("'agent' || n % 3")}, n, ${text("n")} || repeat('output ', 30), n`,
  },
  agent_requests: {
    share: 0,
    columns:
      "organization_id, id, session_id, device_id, kind, tool, title, input, is_answerable, scopes, created_at, expires_at, status, settled_at",
    select: `${organization("n")}, ${id("'request' || n")}, ${id("'agent' || n % 3")}, ${device("n")}, 'permission', 'Bash', ${text("n")}, ${text("n")}, true, '{once}', ${at("n")}, ${at("n + 1")}, 'withdrawn', ${at("n")}`,
  },
  request_marks: {
    share: 0,
    columns: "organization_id, request_id, user_id, until",
    select: `${organization("n")}, ${id("'request' || n")}, ${user("n")}, ${at("n")}`,
  },
  session_marks: {
    share: 0,
    columns: "organization_id, session_id, user_id, seen",
    select: `${organization("n")}, ${id("'agent' || n % 3")}, ${user("n")}, ${at("n")}`,
  },
  chat_sessions: {
    share: 0,
    columns: "id, organization_id, title, created_by",
    select: `${id("'chat' || n % 3")}, ${organization("n")}, ${text("n")}, ${user("n")}`,
  },
  chat_messages: {
    share: 50,
    columns: "id, organization_id, session_id, role, author_id, text, created_at",
    select: `${id("'message' || n")}, ${organization("n")}, ${id("'chat' || n % 3")}, 'user', ${user("n")}, ${text("n")}, ${at("n")}`,
  },
};
