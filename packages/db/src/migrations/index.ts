import type { Migration } from "kysely";
import { up as foundation } from "./0001_foundation";
import { up as accounts } from "./0002_accounts";
import { up as tasks } from "./0003_tasks";
import { up as analytics } from "./0004_analytics";
import { up as secretsSessions } from "./0005_secrets_sessions";
import { up as chatAgents } from "./0006_chat_agents";
import { up as commandRetention } from "./0007_command_retention";
import { up as userReferences } from "./0008_user_references";
import { up as deviceTurns } from "./0009_device_turns";
import { up as integrations } from "./0010_integrations";
import { up as sessionEnds } from "./0011_session_ends";
import { up as deliveryText } from "./0012_delivery_text";
import { up as sessionSize } from "./0013_session_size";
import { up as commandAnnounce } from "./0014_command_announce";
import { up as sizes } from "./0016_sizes";
import { up as filters } from "./0017_filters";
import { up as keyDevices } from "./0018_key_devices";
import { up as repoCredentials } from "./0019_repo_credentials";
import { up as taskIdempotency } from "./0023_task_idempotency";
import { up as quotas } from "./0025_quotas";

/** The one history, for both engines. Forward only: a migration that has landed is never edited. */
export const migrations: Record<string, Migration> = {
  "0001_foundation": { up: foundation },
  "0002_accounts": { up: accounts },
  "0003_tasks": { up: tasks },
  "0004_analytics": { up: analytics },
  "0005_secrets_sessions": { up: secretsSessions },
  "0006_chat_agents": { up: chatAgents },
  "0007_command_retention": { up: commandRetention },
  "0008_user_references": { up: userReferences },
  "0009_device_turns": { up: deviceTurns },
  "0010_integrations": { up: integrations },
  "0011_session_ends": { up: sessionEnds },
  "0012_delivery_text": { up: deliveryText },
  "0013_session_size": { up: sessionSize },
  "0014_command_announce": { up: commandAnnounce },
  "0016_sizes": { up: sizes },
  "0017_filters": { up: filters },
  "0018_key_devices": { up: keyDevices },
  "0019_repo_credentials": { up: repoCredentials },
  "0023_task_idempotency": { up: taskIdempotency },
  "0025_quotas": { up: quotas },
};
