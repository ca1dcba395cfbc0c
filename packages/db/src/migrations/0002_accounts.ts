import { type Kysely, sql } from "kysely";

/** Invitations, the tokens that mails carry, and sign-in through a provider. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  "create index memberships_organization on memberships (organization_id, created_at desc, user_id desc)",

  `create table invitations (
    id uuid primary key,
    organization_id uuid not null references organizations (id) on delete cascade,
    email text not null check (email = lower(email)),
    role text not null check (role in ('member', 'admin')),
    token_hash text not null unique,
    invited_by uuid references users (id) on delete set null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    accepted_at timestamptz,
    revoked_at timestamptz
  )`,
  "create index invitations_organization on invitations (organization_id, created_at desc, id desc)",
  // One open invitation an address: inviting again renews it.
  `create unique index invitations_open on invitations (organization_id, email)
    where accepted_at is null and revoked_at is null`,
  // Sign-in through a provider asks whether an address is invited anywhere.
  `create index invitations_email on invitations (email)
    where accepted_at is null and revoked_at is null`,

  `create table email_tokens (
    token_hash text primary key,
    user_id uuid not null references users (id) on delete cascade,
    purpose text not null check (purpose in ('verify_email', 'reset_password')),
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
];
