import type { DeviceApi } from "../cloud/deviceApi";
import type { RepositoryLocks } from "../git/repositoryLocks";
import type { Git } from "../git/run";
import type { Home } from "../home/home";
import type { Store } from "../home/store";
import type { Sessions } from "../sessions/sessions";
import type { Construction } from "./workspace/construction";

/** The dependencies for making and removing workspaces, for a command of the cloud or by hand. */
export interface WorkspaceDeps {
  home: Home;
  store: Store;
  git: Git;
  locks: RepositoryLocks;
  /** The workspaces that are being created. */
  construction: Construction;
  sessions: Pick<Sessions, "runningIn" | "stopIn">;
  cloud: DeviceApi;
  organizationId: string;
  /** The environment for programs that are started. */
  programEnv: NodeJS.ProcessEnv;
}

/** The dependencies of the tools. */
export interface ToolDeps extends WorkspaceDeps {
  sessions: Sessions;
  /** Where the API is. */
  apiUrl: string;
}
