import { constants } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { type DoctorFinding, finding, messageOf } from "@grove/schemas";
import { type Git, GitMissingError } from "../git/run";
import { readConfig } from "../home/config";
import type { Home } from "../home/home";
import { runningAgent } from "../home/homeLock";
import { isThere } from "../lib/fileSystem";
import { findAgents } from "../sessions/agentVersion";
import { readAgentStatus } from "../statusFile";
import { collectsOrphans, ORPHANS_STAY, ORPHANS_TODO } from "./orphans";

const MIN_GIT = [2, 31] as const;
const MIB = 1024 * 1024;
const LITTLE_SPACE = 2 * 1024 * MIB;
const NO_SPACE = 100 * MIB;

/** Checks this machine without using the network. */
export async function examineMachine(home: Home, git: Git, env: NodeJS.ProcessEnv): Promise<DoctorFinding[]> {
  return [
    await examineGit(git),
    await examineHome(home),
    ...(await examineFiles(home)),
    await examineDisk(home),
    await examineOrphans(),
    await examineAgent(home),
    await examineCodingAgents(home, env),
  ];
}

/** The coding agents that sessions can be started with. */
async function examineCodingAgents(home: Home, env: NodeJS.ProcessEnv): Promise<DoctorFinding> {
  const config = await readConfig(home).catch(() => undefined);
  if (!config) return finding.warn("agents", "unknown, since config.json is wrong", "Correct it.");
  const agents = await findAgents(config, env);
  const named = agents
    .map(({ name, version }) => (version === null ? name : `${name} ${version}`))
    .join(", ");
  if (agents.length === 0)
    return finding.warn(
      "agents",
      "none is installed, so no agent session can be started here",
      "Install one, such as claude, codex or gemini, or name one of your own in config.json.",
    );
  const { defaultAgent } = config;
  if (defaultAgent !== undefined && !agents.some(({ name }) => name === defaultAgent))
    return finding.warn(
      "agents",
      `${named}; the default agent ${defaultAgent} is not installed`,
      "Install it, or change defaultAgent in config.json.",
    );
  return finding.ok("agents", named);
}

async function examineGit(git: Git): Promise<DoctorFinding> {
  try {
    const versionText = (await git(["--version"])).trim();
    const [major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(versionText)?.slice(1).map(Number) ?? [];
    const isOld = major < MIN_GIT[0] || (major === MIN_GIT[0] && minor < MIN_GIT[1]);
    return isOld
      ? finding.fail("git", versionText, `Install git ${MIN_GIT.join(".")} or newer.`)
      : finding.ok("git", versionText);
  } catch (error) {
    if (error instanceof GitMissingError)
      return finding.fail(
        "git",
        "there is no git on the PATH",
        "Install git, or put it on the PATH of grove-device.",
      );
    return finding.fail("git", messageOf(error), "Make `git --version` work for this user.");
  }
}

async function examineHome({ root }: Home): Promise<DoctorFinding> {
  const found = await stat(root).catch(() => undefined);
  if (!found)
    return finding.fail("home", `${root} is not there`, "Run `grove-device register`, or set GROVE_HOME.");
  if (!found.isDirectory())
    return finding.fail("home", `${root} is not a directory`, "Set GROVE_HOME to a directory.");
  const mode = (found.mode & 0o777).toString(8);
  if ((found.mode & 0o077) !== 0)
    return finding.fail("home", `${root} is open to other users (mode ${mode})`, `Run: chmod 700 '${root}'`);
  if (!(await isAllowed(root, constants.W_OK)))
    return finding.fail(
      "home",
      `${root} cannot be written`,
      `Make it this user's own: chown -R "$USER" '${root}'`,
    );
  return finding.ok("home", `${root} (mode ${mode})`);
}

const isAllowed = (path: string, what: number): Promise<boolean> =>
  access(path, what).then(
    () => true,
    () => false,
  );

async function examineFiles(home: Home): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = [];
  const key = await stat(home.deviceFile).catch(() => undefined);
  if (key && (key.mode & 0o077) !== 0)
    findings.push(
      finding.fail(
        "key",
        `${home.deviceFile} can be read by other users`,
        `Run: chmod 600 '${home.deviceFile}'`,
      ),
    );
  try {
    const { allowRepositoryScripts } = await readConfig(home);
    const scripts = `scripts of repositories ${allowRepositoryScripts ? "run" : "do not run"}`;
    const configText = (await isThere(home.configFile)) ? home.configFile : "none, so the defaults apply";
    findings.push(finding.ok("config", `${configText}; ${scripts}`));
  } catch (error) {
    findings.push(finding.fail("config", messageOf(error), "Correct it, or remove it for the defaults."));
  }
  return findings;
}

async function examineDisk({ root }: Home): Promise<DoctorFinding> {
  const checkedPath = (await isThere(root)) ? root : dirname(root);
  const found = await statfs(checkedPath).catch(() => undefined);
  if (!found) return finding.warn("disk", `the free space at ${checkedPath} is unknown`, "Check it with df.");
  const free = found.bavail * found.bsize;
  const freeText = `${(free / MIB / 1024).toFixed(1)} GiB free at ${checkedPath}`;
  // File systems that create inodes on demand report 0 of 0.
  if (found.files > 0 && found.ffree < 1_000)
    return finding.fail("disk", `${found.ffree} inodes free at ${checkedPath}`, "Remove small files there.");
  if (free < NO_SPACE)
    return finding.fail("disk", freeText, "Free some space: soon nothing can be written to the journal.");
  if (free < LITTLE_SPACE)
    return finding.warn(
      "disk",
      freeText,
      "Free some space: delete workspaces that are not needed, or run `grove-device prune`.",
    );
  return finding.ok("disk", freeText);
}

async function examineOrphans(): Promise<DoctorFinding> {
  const collects = await collectsOrphans();
  if (collects === false) return finding.warn("orphans", ORPHANS_STAY, ORPHANS_TODO);
  return finding.ok("orphans", collects ? "processes without a parent are collected" : "left to the system");
}

async function examineAgent(home: Home): Promise<DoctorFinding> {
  const pid = await runningAgent(home);
  if (pid === undefined)
    return finding.warn(
      "grove-device",
      "not running",
      "Run `grove-device start`, or `grove-device service install`.",
    );
  const status = await readAgentStatus(home, pid);
  return status?.connected
    ? finding.ok("grove-device", `running (pid ${pid}), connected since ${status.since}`)
    : finding.fail(
        "grove-device",
        `running (pid ${pid}), not connected`,
        "See the checks of the API here, and the log of grove-device.",
      );
}
