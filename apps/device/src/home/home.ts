import { randomUUID } from "node:crypto";
import { lstat, mkdir, open, readFile, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Where things lie in a GROVE_HOME. */
export interface Home {
  root: string;
  /** Who this machine is to the cloud; holds the device key. */
  deviceFile: string;
  /** What this machine's user has decided; written by hand. */
  configFile: string;
  /** What the running agent says of itself, for `grove-device status`. */
  statusFile: string;
  journalFile: string;
  /** One file an agent session whose end the cloud has not confirmed. */
  sessionsDir: string;
  /** One file for each process that runs as this home's agent: at most one. */
  lockDir: string;
  /** One file a project, so that `project add` and a running agent cannot overwrite each other's. */
  projectsDir: string;
  workspacesDir: string;
  activeFile: string;
  /** Repositories that the agent cloned. */
  reposDir: string;
  /** Scripts of repositories while they run. */
  scriptsDir: string;
  worktreesDir: string;
}

/** The layout of the GROVE_HOME at a path, whether or not it is there. */
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
  activeFile: join(root, "active.json"),
  reposDir: join(root, "repos"),
  scriptsDir: join(root, "scripts"),
  worktreesDir: join(root, "worktrees"),
});

/**
 * A GROVE_HOME, made where it is missing with mode 0700: it holds keys and source code.
 * @throws when a directory cannot be made
 */
export async function openHome(path: string): Promise<Home> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  // git tells worktrees by their real paths.
  const home = homeAt(await realpath(path));
  const { lockDir, projectsDir, workspacesDir, reposDir, scriptsDir, worktreesDir, sessionsDir } = home;
  for (const dir of [lockDir, projectsDir, workspacesDir, reposDir, scriptsDir, worktreesDir, sessionsDir])
    await mkdir(dir, { recursive: true, mode: 0o700 });
  return home;
}

/** Makes what was created, renamed or removed in a directory survive a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** The name of a file beside `path` that nobody reads, to be filled and renamed. */
export const temporaryBeside = (path: string): string =>
  join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);

/**
 * Writes a whole file with mode 0600: readers see the old content or the new, also after a power cut.
 * @throws the file system's error, with the old content still in place
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

/** The text of a file, or undefined where there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Whether there is anything at a path, be it a link that leads nowhere. */
export const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

export const isErrno = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && "code" in error && codes.includes(String(error.code));
