import type { Generated } from "kysely";
import type { DefaultNow, NullableTimestamp, Timestamp } from "./columns";

export interface UserTable {
  id: string;
  /** Lower-cased; unique. */
  email: string;
  name: string;
  image: string | null;
  /** argon2id in PHC form; null for accounts that only sign in through a provider. */
  password_hash: string | null;
  email_verified_at: NullableTimestamp;
  disabled_at: NullableTimestamp;
  created_at: DefaultNow;
  updated_at: DefaultNow;
}

export interface SessionTable {
  /** SHA-256 of the secret, in hex. */
  id_hash: string;
  /** The public id, by which a session is listed and revoked. */
  id: string;
  user_id: string;
  expires_at: Timestamp;
  created_at: DefaultNow;
  last_used_at: DefaultNow;
  ip: string | null;
  user_agent: string | null;
  /** Whether a one-time link of local mode began it. */
  by_link: Generated<boolean>;
}

/** The token in a mail's link; deleted when it is used. */
export interface EmailTokenTable {
  /** SHA-256 of the token, in hex. */
  token_hash: string;
  user_id: string;
  purpose: "verify_email" | "reset_password" | "console_link";
  /** The address that it was mailed to, which its use proves; of a console's link, the account's. */
  email: string;
  created_at: DefaultNow;
  expires_at: Timestamp;
}

export interface OAuthAccountTable {
  provider: "github";
  provider_user_id: string;
  user_id: string;
  created_at: DefaultNow;
}

/** A sign-in through a provider that is in progress; deleted by its callback. */
export interface OAuthStateTable {
  /** SHA-256 of the state, in hex. */
  state_hash: string;
  /** SHA-256 of the secret in the browser's cookie, in hex. */
  browser_hash: string;
  redirect_to: string | null;
  expires_at: Timestamp;
}
