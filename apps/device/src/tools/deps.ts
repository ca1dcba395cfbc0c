import type { Cloud } from "../cloud/cloud";
import type { RepositoryLocks } from "../git/lock";
import type { Git } from "../git/run";
import type { Home } from "../home/home";
import type { Store } from "../home/store";
import type { Sessions } from "../sessions/sessions";
import type { Construction } from "./workspace/construction";

/** What it takes to make and remove workspaces, for a command of the cloud's or by hand. */
export interface WorkspaceParts {
  home: Home;
  store: Store;
  git: Git;
  locks: RepositoryLocks;
  /** What is being made now. */
  construction: Construction;
  sessions: Pick<Sessions, "runningIn" | "stopIn">;
  cloud: Cloud;
  organizationId: string;
  /** The environment of programs that are started. */
  programEnv: NodeJS.ProcessEnv;
}

/** What the tools work with. */
export interface ToolParts extends WorkspaceParts {
  sessions: Sessions;
}
