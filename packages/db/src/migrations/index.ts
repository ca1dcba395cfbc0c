import type { Migration } from "kysely";
import { up as foundation } from "./0001_foundation";
import { up as accounts } from "./0002_accounts";
import { up as secretsSessions } from "./0005_secrets_sessions";

/** The one history, for both engines. Forward only: a migration that has landed is never edited. */
export const migrations: Record<string, Migration> = {
  "0001_foundation": { up: foundation },
  "0002_accounts": { up: accounts },
  "0005_secrets_sessions": { up: secretsSessions },
};
