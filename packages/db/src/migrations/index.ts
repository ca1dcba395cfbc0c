import type { Migration } from "kysely";
import * as instances from "./0001_instances";
import * as users from "./0002_users";
import * as organizations from "./0003_organizations";
import * as devices from "./0004_devices";
import * as projects from "./0005_projects";
import * as tasks from "./0006_tasks";
import * as agentSessions from "./0007_agent_sessions";
import * as chat from "./0008_chat";
import * as integrations from "./0009_integrations";
import * as notifications from "./0010_notifications";
import * as analytics from "./0011_analytics";
import * as changes from "./0012_changes";
import * as reviews from "./0013_reviews";

/**
 * The history of the schema, the same for both engines, forward only. From the first release on, a migration that has
 * landed is never edited.
 *
 * organization_id is at the front of indexes and in composite foreign keys, so that no row refers to another
 * organization's. The exceptions serve the sweeper, the deletion of an account, and credentials, which are found by
 * their hash before the organization is known.
 */
export const migrations: Record<string, Migration> = {
  "0001_instances": instances,
  "0002_users": users,
  "0003_organizations": organizations,
  "0004_devices": devices,
  "0005_projects": projects,
  "0006_tasks": tasks,
  "0007_agent_sessions": agentSessions,
  "0008_chat": chat,
  "0009_integrations": integrations,
  "0010_notifications": notifications,
  "0011_analytics": analytics,
  "0012_changes": changes,
  "0013_reviews": reviews,
};
