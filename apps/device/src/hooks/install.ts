import { copyFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Home } from "../home/home";
import { writeClaudeSettings } from "./claude";

/**
 * Puts the files that agents run as hooks into the home, so that an update of this program changes none of a running
 * session.
 * @param built the directory with the built `hook.cjs` and `opencode.js`
 */
export async function installHooks(home: Home, built: URL): Promise<void> {
  await copyFile(fileURLToPath(new URL("hook.cjs", built)), home.hookProgram);
  await copyFile(fileURLToPath(new URL("opencode.js", built)), home.opencodePlugin);
  await writeClaudeSettings(home);
}
