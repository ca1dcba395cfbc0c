import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";

/** The layout of a GROVE_HOME. */
export interface Home {
  root: string;
  /** This machine's identity in the cloud, with its device key. */
  deviceFile: string;
  /** The decisions of this machine's user. */
  configFile: string;
  /** The running device agent's status, for `grove-device status`. */
  statusFile: string;
  journalFile: string;
  /** One file for each agent session whose end the API has not confirmed. */
  sessionsDir: string;
  /** The socket and the settings for the hooks of coding agents. */
  runDir: string;
  claudeSettingsFile: string;
  hookProgram: string;
  opencodePlugin: string;
  /** One file for each process that runs as this home's device agent: at most one. */
  lockDir: string;
  /** One file per project, so that `project add` and a running device agent cannot overwrite each other's entries. */
  projectsDir: string;
  workspacesDir: string;
  /** The state of each new worktree, one file each. Only deletions and detailed reads need it. */
  initialStatesDir: string;
  activeFile: string;
  /** Repositories that the device agent cloned. */
  reposDir: string;
  /** Scripts of repositories while they run. */
  scriptsDir: string;
  /** The last run of each project's scripts, one file each. */
  scriptRunsDir: string;
  worktreesDir: string;
  /** Worktrees in which gates run, each for as long as its run. */
  gatesDir: string;
}

/** The layout of the GROVE_HOME at a path, whether or not it exists. */
export const homeAt = (root: string): Home => ({
  root,
  deviceFile: join(root, "device.json"),
  configFile: join(root, "config.json"),
  statusFile: join(root, "agent.json"),
  journalFile: join(root, "journal.jsonl"),
  sessionsDir: join(root, "sessions"),
  runDir: join(root, "run"),
  claudeSettingsFile: join(root, "run", "claude-settings.json"),
  hookProgram: join(root, "run", "hook.cjs"),
  opencodePlugin: join(root, "run", "opencode.js"),
  lockDir: join(root, "lock"),
  projectsDir: join(root, "projects"),
  workspacesDir: join(root, "workspaces"),
  initialStatesDir: join(root, "initial-states"),
  activeFile: join(root, "active.json"),
  reposDir: join(root, "repos"),
  scriptsDir: join(root, "scripts"),
  scriptRunsDir: join(root, "script-runs"),
  worktreesDir: join(root, "worktrees"),
  gatesDir: join(root, "gates"),
});

/**
 * Opens a GROVE_HOME. Missing directories are created with mode 0700, since they hold keys and source code.
 * @throws {Error} if a directory cannot be created
 */
export async function openHome(path: string): Promise<Home> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  // git identifies worktrees by their real paths.
  const home = homeAt(await realpath(path));
  const { lockDir, projectsDir, workspacesDir, initialStatesDir, sessionsDir } = home;
  const { runDir, reposDir, scriptsDir, scriptRunsDir, worktreesDir } = home;
  const records = [lockDir, projectsDir, workspacesDir, initialStatesDir, sessionsDir, scriptRunsDir];
  for (const dir of [...records, runDir, reposDir, scriptsDir, worktreesDir])
    await mkdir(dir, { recursive: true, mode: 0o700 });
  return home;
}
