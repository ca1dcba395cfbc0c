import type { Cloud } from "../cloud";
import type { RepositoryLocks } from "../git/lock";
import type { Git } from "../git/run";
import type { Home } from "../home";
import type { Store } from "../store";
import type { WorkspaceSessions } from "./sessions";

/** What the tools work with. */
export interface ToolParts {
  home: Home;
  store: Store;
  git: Git;
  locks: RepositoryLocks;
  cloud: Cloud;
  organizationId: string;
  sessions: WorkspaceSessions;
  /** The environment of programs that are started. */
  programEnv: NodeJS.ProcessEnv;
}
