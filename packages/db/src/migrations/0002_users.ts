import { statements } from "./statements";

/** Accounts, and the ways to sign in to one. Secrets are stored as hashes only. */
export const up = statements([
  `create table users (
    id uuid primary key,
    email text not null unique check (email = lower(email)),
    name text not null,
    image text,
    password_hash text,
    email_verified_at timestamptz,
    disabled_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  // The list of the site's admins.
  "create index users_created_at on users (created_at desc, id desc)",

  // `by_link`: a link signed the browser in. Local mode ends these sessions when it starts again.
  `create table sessions (
    id_hash text primary key,
    id uuid not null unique,
    user_id uuid not null references users (id) on delete cascade,
    by_link boolean not null default false,
    ip text,
    user_agent text,
    created_at timestamptz not null default now(),
    last_used_at timestamptz not null default now(),
    expires_at timestamptz not null
  )`,
  "create index sessions_user_id on sessions (user_id)",
  "create index sessions_expires_at on sessions (expires_at)",

  `create table email_tokens (
    token_hash text primary key,
    user_id uuid not null references users (id) on delete cascade,
    purpose text not null check (purpose in ('verify_email', 'reset_password', 'console_link')),
    email text not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
  )`,
  "create index email_tokens_user on email_tokens (user_id, purpose)",
  "create index email_tokens_expires_at on email_tokens (expires_at)",

  `create table oauth_accounts (
    provider text not null check (provider in ('github')),
    provider_user_id text not null,
    user_id uuid not null references users (id) on delete cascade,
    created_at timestamptz not null default now(),
    primary key (provider, provider_user_id)
  )`,
  "create index oauth_accounts_user on oauth_accounts (user_id)",

  `create table oauth_states (
    state_hash text primary key,
    browser_hash text not null,
    redirect_to text,
    expires_at timestamptz not null
  )`,
  "create index oauth_states_expires_at on oauth_states (expires_at)",
]);
