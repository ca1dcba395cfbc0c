import { constants } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { readAgentStatus } from "../agentStatus";
import { type Git, GitMissingError } from "../git/run";
import { readConfig } from "../home/config";
import { type Home, isThere } from "../home/home";
import { runningAgent } from "../home/lock";
import { findAgents } from "../sessions/agentVersion";
import { type Finding, fail, ok, warn } from "./finding";
import { collectsOrphans, ORPHANS_STAY, ORPHANS_TODO } from "./orphans";

const LEAST_GIT = [2, 31] as const;
const MIB = 1024 * 1024;
const LITTLE_SPACE = 2 * 1024 * MIB;
const NO_SPACE = 100 * MIB;

/** Checks this machine without using the network. */
export async function examineMachine(home: Home, git: Git, env: NodeJS.ProcessEnv): Promise<Finding[]> {
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
async function examineCodingAgents(home: Home, env: NodeJS.ProcessEnv): Promise<Finding> {
  const config = await readConfig(home).catch(() => undefined);
  if (!config) return warn("agents", "unknown, since config.json is wrong", "Correct it.");
  const agents = await findAgents(config, env);
  const named = agents
    .map(({ name, version }) => (version === null ? name : `${name} ${version}`))
    .join(", ");
  if (agents.length === 0)
    return warn(
      "agents",
      "none is installed, so no agent session can be started here",
      "Install one, such as claude, codex or gemini, or name one of your own in config.json.",
    );
  const { defaultAgent } = config;
  if (defaultAgent !== undefined && !agents.some(({ name }) => name === defaultAgent))
    return warn(
      "agents",
      `${named}; the default agent ${defaultAgent} is not installed`,
      "Install it, or change defaultAgent in config.json.",
    );
  return ok("agents", named);
}

async function examineGit(git: Git): Promise<Finding> {
  try {
    const said = (await git(["--version"])).trim();
    const [major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(said)?.slice(1).map(Number) ?? [];
    const isOld = major < LEAST_GIT[0] || (major === LEAST_GIT[0] && minor < LEAST_GIT[1]);
    return isOld ? fail("git", said, `Install git ${LEAST_GIT.join(".")} or newer.`) : ok("git", said);
  } catch (error) {
    if (error instanceof GitMissingError)
      return fail(
        "git",
        "there is no git on the PATH",
        "Install git, or put it on the PATH of the device agent.",
      );
    return fail("git", (error as Error).message, "Make `git --version` work for this user.");
  }
}

async function examineHome({ root }: Home): Promise<Finding> {
  const found = await stat(root).catch(() => undefined);
  if (!found) return fail("home", `${root} is not there`, "Run `grove-device register`, or set GROVE_HOME.");
  if (!found.isDirectory())
    return fail("home", `${root} is not a directory`, "Set GROVE_HOME to a directory.");
  const mode = (found.mode & 0o777).toString(8);
  if ((found.mode & 0o077) !== 0)
    return fail("home", `${root} is open to other users (mode ${mode})`, `Run: chmod 700 '${root}'`);
  if (!(await isAllowed(root, constants.W_OK)))
    return fail("home", `${root} cannot be written`, `Make it this user's own: chown -R "$USER" '${root}'`);
  return ok("home", `${root} (mode ${mode})`);
}

const isAllowed = (path: string, what: number): Promise<boolean> =>
  access(path, what).then(
    () => true,
    () => false,
  );

async function examineFiles(home: Home): Promise<Finding[]> {
  const findings: Finding[] = [];
  const key = await stat(home.deviceFile).catch(() => undefined);
  if (key && (key.mode & 0o077) !== 0)
    findings.push(
      fail("key", `${home.deviceFile} can be read by other users`, `Run: chmod 600 '${home.deviceFile}'`),
    );
  try {
    const { allowRepositoryScripts } = await readConfig(home);
    const scripts = `scripts of repositories ${allowRepositoryScripts ? "run" : "do not run"}`;
    const where = (await isThere(home.configFile)) ? home.configFile : "none, so the defaults apply";
    findings.push(ok("config", `${where}; ${scripts}`));
  } catch (error) {
    findings.push(fail("config", (error as Error).message, "Correct it, or remove it for the defaults."));
  }
  return findings;
}

async function examineDisk({ root }: Home): Promise<Finding> {
  const place = (await isThere(root)) ? root : dirname(root);
  const found = await statfs(place).catch(() => undefined);
  if (!found) return warn("disk", `the free space at ${place} is unknown`, "Look at it with df.");
  const free = found.bavail * found.bsize;
  const said = `${(free / MIB / 1024).toFixed(1)} GiB free at ${place}`;
  // File systems that create inodes on demand report 0 of 0.
  if (found.files > 0 && found.ffree < 1_000)
    return fail("disk", `${found.ffree} inodes free at ${place}`, "Remove small files there.");
  if (free < NO_SPACE)
    return fail("disk", said, "Free some space: soon nothing can be written to the journal.");
  if (free < LITTLE_SPACE)
    return warn(
      "disk",
      said,
      "Free some space: delete workspaces that are not needed, or run `grove-device prune`.",
    );
  return ok("disk", said);
}

async function examineOrphans(): Promise<Finding> {
  const collects = await collectsOrphans();
  if (collects === false) return warn("orphans", ORPHANS_STAY, ORPHANS_TODO);
  return ok("orphans", collects ? "processes without a parent are collected" : "left to the system");
}

async function examineAgent(home: Home): Promise<Finding> {
  const pid = await runningAgent(home);
  if (pid === undefined)
    return warn("agent", "not running", "Run `grove-device start`, or `grove-device service install`.");
  const status = await readAgentStatus(home, pid);
  return status?.connected
    ? ok("agent", `running (pid ${pid}), connected since ${status.since}`)
    : fail(
        "agent",
        `running (pid ${pid}), not connected`,
        "See the checks of the API here, and the agent's log.",
      );
}
