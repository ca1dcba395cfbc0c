import { Command, CommanderError } from "commander";
import { version } from "../package.json";
import { projectAdd, projectList } from "./commands/project";
import { register } from "./commands/register";
import { start } from "./commands/start";
import { status } from "./commands/status";
import { readEnv } from "./env";

/** Exit codes beside 0 and 1 (it failed). */
const WRONG_USAGE = 2;
const NOT_CONNECTED = 3;
const REVOKED = 4;

const example = (text: string) => `\nExample:\n  ${text}\n`;

const program = new Command("grove-device")
  .description("Runs commands from Grove on this machine: git worktrees for coding agents.")
  .version(version)
  .exitOverride()
  .addHelpText(
    "after",
    `
Environment:
  API_URL      where the API is (default http://127.0.0.1:3000)
  API_KEY      an API key, for register alone
  DEVICE_KEY   the device key, instead of the one that register has kept
  GROVE_HOME   where everything is kept (default ~/.grove)
  LOG_LEVEL    fatal, error, warn, info (default), debug, trace or silent`,
  );

program
  .command("register")
  .description("Register this machine with an API key, from API_KEY or a hidden prompt.")
  .option("--api-url <url>", "where the API is (default: API_URL)")
  .option("--name <name>", "the device's name (default: the host name)")
  .option("--organization <id>", "the organization, where the key does not say it")
  .option("--force", "register anew, as another device")
  .addHelpText("after", example("API_KEY=grk_... grove-device register --api-url https://grove.example.com"))
  .action((options) => register(readEnv(), options));

program
  .command("start")
  .description("Run the device agent in the foreground; logs go to stderr.")
  .addHelpText(
    "after",
    `${example("grove-device start")}\nExits with ${REVOKED} when the cloud does not take this machine's key any more.\n`,
  )
  .action(async () => {
    const stopped = await start(readEnv());
    if (!stopped)
      process.stderr.write(
        "The cloud does not take this machine's device key any more: the device was revoked. Run `grove-device register --force` to register it anew.\n",
      );
    // Calls that are still waiting for an answer must not hold the process.
    process.exit(stopped ? 0 : REVOKED);
  });

program
  .command("status")
  .description("Say whether this machine is registered, running and connected.")
  .option("--json", "as one line of JSON")
  .addHelpText(
    "after",
    `${example("grove-device status --json")}\nExits with ${NOT_CONNECTED} when not connected.\n`,
  )
  .action(async (options) => {
    if (!(await status(readEnv(), options))) process.exitCode = NOT_CONNECTED;
  });

const project = program
  .command("project")
  .description("The repositories on this machine that Grove may use.");

project
  .command("add <path>")
  .description("Make the git repository at a path a project of the organization.")
  .option("--name <name>", "the project's name (default: the repository's)")
  .option("--slug <slug>", "the project's slug (default: made from the repository's name)")
  .option("--json", "as one line of JSON")
  .addHelpText("after", example("grove-device project add ~/code/app"))
  .action((path, options) => projectAdd(readEnv(), path, options));

project
  .command("list")
  .description("List the projects of this machine.")
  .option("--json", "as one line of JSON")
  .addHelpText("after", example("grove-device project list"))
  .action((options) => projectList(readEnv(), options));

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : WRONG_USAGE;
  else {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
