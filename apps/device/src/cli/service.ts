import { mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { DEFAULT_API_URL } from "@grove/schemas";
import { type Command, Option } from "commander";
import { type Env, readEnv } from "../env";
import { homeAt } from "../home/home";
import { readRegistration } from "../home/registration";
import { readIfThere } from "../lib/fileSystem";
import { type Manager, type ManagerName, managers, ownManager, runManager } from "../service/manager";
import type { Service } from "../service/unit";
import { answer, example, exitCodes } from "./usage";

interface Options {
  manager: ManagerName;
  force?: boolean;
  json?: boolean;
}

/** `grove-device service …` */
export function addServiceCommands(program: Command): void {
  const service = program
    .command("service")
    .description("Start grove-device at login: as a systemd user unit or a launchd agent.");
  const chooseManager = () =>
    new Option("--manager <name>", "the service manager")
      .choices(Object.keys(managers))
      .default(ownManager());

  service
    .command("print")
    .description("Print the unit without installing it.")
    .addOption(chooseManager())
    .addHelpText("after", example("grove-device service print --manager systemd"))
    .action(({ manager }: Options) => print(readEnv(), managers[manager]));

  service
    .command("install")
    .description("Write the unit and start it, with the current GROVE_HOME, API_URL, LOG_LEVEL and PATH.")
    .addOption(chooseManager())
    .option("--force", "replace an existing unit with other contents")
    .option("--json", "as one line of JSON")
    .addHelpText("after", example("grove-device service install"))
    .action((options: Options) => install(readEnv(), options));

  service
    .command("uninstall")
    .description("Stop the unit and remove it.")
    .addOption(chooseManager())
    .option("--json", "as one line of JSON")
    .addHelpText("after", example("grove-device service uninstall"))
    .action((options: Options) => uninstall(readEnv(), options));

  service
    .command("status")
    .description("Show whether the unit is installed and running.")
    .addOption(chooseManager())
    .option("--json", "as one line of JSON")
    .addHelpText(
      "after",
      `${example("grove-device service status")}\nExits with ${exitCodes.notConnected} when it is not running.\n`,
    )
    .action((options: Options) => status(readEnv(), options));
}

async function print(env: Env, manager: Manager): Promise<void> {
  const { home = env.groveHome } = manager;
  process.stdout.write(manager.unit(await serviceOf({ ...env, groveHome: home })));
}

async function install(env: Env, { manager: name, force, json }: Options): Promise<void> {
  const manager = managers[name];
  if (manager.home !== undefined && manager.home !== env.groveHome)
    throw new Error(
      `${name} runs the agent with GROVE_HOME=${manager.home}: register and install with that.`,
    );
  if (!(await readRegistration(homeAt(env.groveHome))))
    throw new Error(
      "This machine is not registered. Run `grove-device register` first: a unit holds no keys, not even DEVICE_KEY.",
    );
  const unit = manager.unit(await serviceOf(env));
  const unitFile = manager.unitFile(env.forPrograms, homedir());
  const present = await readIfThere(unitFile);
  if (present !== undefined && present !== unit && !force)
    throw new Error(
      `${unitFile} already exists with other contents, perhaps for another GROVE_HOME. Use --force to replace it.`,
    );
  // Ask the manager first, so that no file is left behind if there is none.
  const reached = await runManager(env, manager.isReachable());
  if (reached.code !== 0) {
    const why = reached.stderr.trim() || `exit code ${reached.code}`;
    throw new Error(`${name} cannot be reached for this user: ${why}\n${manager.unreachableHint}`);
  }
  if (present !== undefined)
    for (const command of manager.uninstall(unitFile)) await runManager(env, command);
  await mkdir(dirname(unitFile), { recursive: true });
  await writeFile(unitFile, unit);
  for (const command of manager.install(unitFile)) {
    const { code, stderr } = await runManager(env, command);
    if (code !== 0)
      throw new Error(
        `${unitFile} is written, but \`${command.join(" ")}\` failed: ${stderr.trim() || `exit code ${code}`}`,
      );
  }
  answer({ unitFile, installed: true }, `Installed and started: ${unitFile}\n${manager.hint}`, json);
}

async function uninstall(env: Env, { manager: name, json }: Options): Promise<void> {
  const manager = managers[name];
  const unitFile = manager.unitFile(env.forPrograms, homedir());
  const present = (await readIfThere(unitFile)) !== undefined;
  if (present) {
    // The unit may already have been stopped, or the manager may have forgotten it.
    for (const command of manager.uninstall(unitFile)) await runManager(env, command);
    await rm(unitFile, { force: true });
  }
  answer(
    { unitFile, removed: present },
    present ? `Removed ${unitFile}.` : `${unitFile} does not exist.`,
    json,
  );
}

async function status(env: Env, { manager: name, json }: Options): Promise<void> {
  const manager = managers[name];
  const unitFile = manager.unitFile(env.forPrograms, homedir());
  const installed = (await readIfThere(unitFile)) !== undefined;
  const active = installed && (await runManager(env, manager.isActive())).code === 0;
  const words = installed
    ? `${unitFile}: ${active ? "runs" : "not running"}`
    : `Not installed (${unitFile} does not exist). Run \`grove-device service install\`.`;
  answer({ unitFile, installed, active }, words, json);
  if (!active) process.exitCode = exitCodes.notConnected;
}

async function serviceOf(env: Env): Promise<Service> {
  const program = await realpath(process.argv[1] ?? "");
  if (program.includes("/_npx/")) {
    const { apiUrl = DEFAULT_API_URL } = { ...(await readRegistration(homeAt(env.groveHome))) };
    throw new Error(
      `npx keeps this program only temporarily. Install it first: npm install --global ${apiUrl}/download/grove-device.tgz`,
    );
  }
  const { PATH, NODE_EXTRA_CA_CERTS } = env.forPrograms;
  return {
    command: [process.execPath, program, "start"],
    environment: {
      GROVE_HOME: env.groveHome,
      LOG_LEVEL: env.logLevel,
      ...(env.apiUrl && { API_URL: env.apiUrl }),
      // A service manager's own PATH leads neither to the user's git nor to coding agents.
      ...(PATH && { PATH }),
      ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }),
    },
    logFile: join(env.groveHome, "agent.log"),
    finalExitCode: exitCodes.revoked,
  };
}
