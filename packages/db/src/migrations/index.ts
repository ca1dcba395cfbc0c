import type { Migration } from "kysely";
import { up as foundation } from "./0001_foundation";

/** The one history, for both engines. Forward only: a migration that has landed is never edited. */
export const migrations: Record<string, Migration> = {
  "0001_foundation": { up: foundation },
};
