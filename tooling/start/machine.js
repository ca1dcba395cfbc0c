import { spawnSync } from "node:child_process";
import { Failed } from "./main.js";

/** The oldest Node that Grove runs on. */
const OLDEST = [20, 19];

/**
 * Old versions of Node read this file too, so it uses only syntax that they understand.
 * @throws {Failed} in a sentence, when this Node is too old
 */
export function requireNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new Failed(
    `Grove needs Node ${OLDEST.join(".")} or newer, and this is Node ${version}. Install a newer one from https://nodejs.org and try again.`,
  );
}

/** Whether git can be run. */
export const hasGit = () => spawnSync("git", ["--version"], { stdio: "ignore" }).status === 0;
