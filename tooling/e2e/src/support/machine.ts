import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A machine like a new user's: an empty home, nothing configured, its own temporary directory. */
export interface Machine {
  /** The directory's name has a space and letters beyond ASCII, as people's directories do. */
  root: string;
  temporary: string;
  env: NodeJS.ProcessEnv;
  /** Removes everything. */
  remove(): Promise<void>;
}

/** Makes a {@link Machine}. */
export async function createMachine(): Promise<Machine> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "grove é2e ")));
  const [home, temporary] = [join(root, "home"), join(root, "tmp")];
  await Promise.all([mkdir(home), mkdir(temporary)]);
  return {
    root,
    temporary,
    // Only PATH is passed on, so that tests find their programs.
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: temporary },
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}
