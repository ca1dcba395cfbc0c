import { randomUUID } from "node:crypto";
import { lstat, mkdir, open, readFile, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** The layout of a GROVE_HOME. */
export interface Home {
  root: string;
  /** This machine's identity in the cloud, with its device key. */
  deviceFile: string;
  /** The decisions of this machine's user, written by hand. */
  configFile: string;
  /** The running agent's own status, for `grove-device status`. */
  statusFile: string;
  journalFile: string;
  /** One file for each agent session whose end the cloud has not confirmed. */
  sessionsDir: string;
  /** One file for each process that runs as this home's agent: at most one. */
  lockDir: string;
  /** One file per project, so that `project add` and a running agent cannot overwrite each other's entries. */
  projectsDir: string;
  workspacesDir: string;
  /** The state of each new worktree, one file each. Only deletions and detailed reads need it. */
  beginningsDir: string;
  activeFile: string;
  /** Repositories that the agent cloned. */
  reposDir: string;
  /** Scripts of repositories while they run. */
  scriptsDir: string;
  worktreesDir: string;
}

/** The layout of the GROVE_HOME at a path, whether or not it exists. */
export const homeAt = (root: string): Home => ({
  root,
  deviceFile: join(root, "device.json"),
  configFile: join(root, "config.json"),
  statusFile: join(root, "agent.json"),
  journalFile: join(root, "journal.jsonl"),
  sessionsDir: join(root, "sessions"),
  lockDir: join(root, "lock"),
  projectsDir: join(root, "projects"),
  workspacesDir: join(root, "workspaces"),
  beginningsDir: join(root, "beginnings"),
  activeFile: join(root, "active.json"),
  reposDir: join(root, "repos"),
  scriptsDir: join(root, "scripts"),
  worktreesDir: join(root, "worktrees"),
});

/**
 * Opens a GROVE_HOME. Missing directories are created with mode 0700, since they hold keys and source code.
 * @throws {Error} if a directory cannot be created
 */
export async function openHome(path: string): Promise<Home> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  // git identifies worktrees by their real paths.
  const home = homeAt(await realpath(path));
  const { lockDir, projectsDir, workspacesDir, beginningsDir, sessionsDir } = home;
  const { reposDir, scriptsDir, worktreesDir } = home;
  const records = [lockDir, projectsDir, workspacesDir, beginningsDir, sessionsDir];
  for (const dir of [...records, reposDir, scriptsDir, worktreesDir])
    await mkdir(dir, { recursive: true, mode: 0o700 });
  return home;
}

/** Makes sure that what was created, renamed or removed in a directory survives a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** A temporary name beside `path`, for a file to be written and then renamed. No reader opens that name. */
export const temporaryBeside = (path: string): string =>
  join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);

/**
 * Writes a whole file with mode 0600. Readers see the old content or the new, even after a power cut.
 * @throws {Error} the file system's, with the old content still in place
 */
export async function writeFileAtomic(path: string, content: string): Promise<void> {
  const temporary = temporaryBeside(path);
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** The text of a file, or undefined if it does not exist. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Whether anything exists at a path, even a link that leads nowhere. */
export const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

export const isErrno = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && "code" in error && codes.includes(String(error.code));
