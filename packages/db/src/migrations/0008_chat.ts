import { statements } from "./statements";

/** Chats among the members of an organization, or with an agent. */
export const up = statements([
  // Messages in a chat with an `agent_session_id` are typed to that agent.
  `create table chat_sessions (
    id uuid primary key,
    organization_id uuid not null references organizations (id) on delete cascade,
    title text not null,
    workspace_id uuid,
    agent_session_id uuid,
    created_by uuid references users (id) on delete set null,
    last_active_at timestamptz not null default now(),
    created_at timestamptz not null default now(),
    unique (organization_id, id),
    foreign key (organization_id, workspace_id) references workspaces (organization_id, id)
      on delete set null (workspace_id),
    foreign key (organization_id, agent_session_id) references agent_sessions (organization_id, id)
      on delete set null (agent_session_id)
  )`,
  "create index chat_sessions_organization on chat_sessions (organization_id, created_at desc, id desc)",
  "create index chat_sessions_workspace on chat_sessions (organization_id, workspace_id)",
  "create index chat_sessions_agent_session on chat_sessions (organization_id, agent_session_id)",
  "create index chat_sessions_created_by on chat_sessions (created_by)",

  `create table chat_messages (
    id uuid primary key,
    organization_id uuid not null,
    session_id uuid not null,
    role text not null check (role in ('user', 'agent')),
    author_id uuid references users (id) on delete set null,
    text text not null,
    created_at timestamptz not null default now(),
    foreign key (organization_id, session_id) references chat_sessions (organization_id, id) on delete cascade
  )`,
  `create index chat_messages_session
    on chat_messages (organization_id, session_id, created_at desc, id desc)`,
  "create index chat_messages_author_id on chat_messages (author_id)",
]);
