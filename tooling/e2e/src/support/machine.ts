import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A machine as a new user has it: an empty home, nothing configured, a temporary directory of its own. */
export interface Machine {
  /** Its name has a space and letters beyond ASCII, as people's directories do. */
  root: string;
  temporary: string;
  env: NodeJS.ProcessEnv;
  /** Takes it all away. */
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
    // The programs that run the tests are found, and nothing else of whoever runs them.
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: temporary },
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}
