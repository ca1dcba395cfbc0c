import type { Migration } from "kysely";
import * as users from "./0001_users";
import * as organizations from "./0002_organizations";
import * as devices from "./0003_devices";
import * as projects from "./0004_projects";
import * as tasks from "./0005_tasks";
import * as agentSessions from "./0006_agent_sessions";
import * as chat from "./0007_chat";
import * as analytics from "./0008_analytics";
import * as integrations from "./0009_integrations";
import * as taskLookups from "./0010_task_lookups";
import * as console from "./0011_console";
import * as asks from "./0012_asks";
import * as keptDiffs from "./0013_kept_diffs";
import * as asksOfOlder from "./0014_asks_of_older";
import * as taskRanks from "./0015_task_ranks";
import * as sshHost from "./0016_ssh_host";
import * as watchedSessions from "./0017_watched_sessions";
import * as traces from "./0018_traces";
import * as instances from "./0019_instances";
import * as analyticsParts from "./0021_analytics_parts";
import * as commandParts from "./0022_command_parts";
import * as whatIsKept from "./0023_what_is_kept";
import * as olderOpenCommands from "./0024_older_open_commands";
import * as rolledUpParts from "./0026_rolled_up_parts";
import * as analyticsGuard from "./0027_analytics_guard";
import * as seenUsers from "./0028_seen_users";
import * as taskCounts from "./0029_task_counts";
import * as sessionScreens from "./0030_session_screens";
import * as storedBigrams from "./0031_stored_bigrams";
import * as dropAnnounce from "./0032_drop_announce_needs_0_2_0";
import * as refusedDeliveries from "./0033_refused_deliveries";
import * as removedResults from "./0034_removed_results";
import * as timeLimit from "./0035_time_limit";
import * as dropReleaseGuards from "./0036_drop_release_guards";

/**
 * The history of the schema, the same for both engines, forward only. A migration that has landed is never edited.
 *
 * organization_id is at the front of indexes and in composite foreign keys, so that no row refers to another
 * organization's. The exceptions serve the sweeper, the deletion of an account, and credentials, which are found by
 * their hash before the organization is known.
 */
export const migrations: Record<string, Migration> = {
  "0001_users": users,
  "0002_organizations": organizations,
  "0003_devices": devices,
  "0004_projects": projects,
  "0005_tasks": tasks,
  "0006_agent_sessions": agentSessions,
  "0007_chat": chat,
  "0008_analytics": analytics,
  "0009_integrations": integrations,
  "0010_task_lookups": taskLookups,
  "0011_console": console,
  "0012_asks": asks,
  "0013_kept_diffs": keptDiffs,
  "0014_asks_of_older": asksOfOlder,
  "0015_task_ranks": taskRanks,
  "0016_ssh_host": sshHost,
  "0017_watched_sessions": watchedSessions,
  "0018_traces": traces,
  "0019_instances": instances,
  "0021_analytics_parts": analyticsParts,
  "0022_command_parts": commandParts,
  "0023_what_is_kept": whatIsKept,
  "0024_older_open_commands": olderOpenCommands,
  "0026_rolled_up_parts": rolledUpParts,
  "0027_analytics_guard": analyticsGuard,
  "0028_seen_users": seenUsers,
  "0029_task_counts": taskCounts,
  "0030_session_screens": sessionScreens,
  "0031_stored_bigrams": storedBigrams,
  "0032_drop_announce_needs_0_2_0": dropAnnounce,
  "0033_refused_deliveries": refusedDeliveries,
  "0034_removed_results": removedResults,
  "0035_time_limit": timeLimit,
  "0036_drop_release_guards": dropReleaseGuards,
};
