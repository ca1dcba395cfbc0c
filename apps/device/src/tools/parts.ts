import type { Cloud } from "../cloud";
import type { RepositoryLocks } from "../git/lock";
import type { Git } from "../git/run";
import type { Home } from "../home";
import type { Sessions } from "../sessions/sessions";
import type { Store } from "../store";

/** What the tools work with. */
export interface ToolParts {
  home: Home;
  store: Store;
  git: Git;
  locks: RepositoryLocks;
  sessions: Sessions;
  cloud: Cloud;
  organizationId: string;
  /** The environment of programs that are started. */
  programEnv: NodeJS.ProcessEnv;
}
