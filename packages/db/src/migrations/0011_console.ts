import { statements } from "./statements";

/** The ways in: links that sign a browser in, and pairing, by which a machine becomes a device. */
export const up = statements([
  "alter table email_tokens drop constraint email_tokens_purpose_check",
  `alter table email_tokens add constraint email_tokens_purpose_check
    check (purpose in ('verify_email', 'reset_password', 'console_link'))`,
  // Local mode ends these sessions when it starts again.
  "alter table sessions add column by_link boolean not null default false",

  // A machine that asks to become a device has no organization until a member approves it. A registration is approved
  // before there is a machine, and has no code for people.
  `create table device_pairings (
    secret_hash text primary key,
    code_hash text unique,
    name text,
    platform text check (platform in ('mac', 'windows', 'linux')),
    agent_version text,
    ip text,
    organization_id uuid references organizations (id) on delete cascade,
    approved_by uuid references users (id) on delete cascade,
    shared boolean not null default false,
    secrets_allowed boolean not null default false,
    device_id uuid,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    check (num_nulls(organization_id, approved_by, device_id) in (0, 3)),
    check (code_hash is null or num_nulls(name, platform) = 0)
  )`,
  "create index device_pairings_organization on device_pairings (organization_id) where organization_id is not null",
  "create index device_pairings_approved_by on device_pairings (approved_by) where approved_by is not null",
  "create index device_pairings_expires_at on device_pairings (expires_at)",
]);
