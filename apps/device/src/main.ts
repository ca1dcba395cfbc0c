import { Command, CommanderError } from "commander";
import { version } from "../package.json";
import { asInstalled } from "./asInstalled";
import { addAgentsCommand } from "./commands/agents";
import { addDoctorCommand } from "./commands/doctor";
import { addProjectCommands } from "./commands/project";
import { addPruneCommand } from "./commands/prune";
import { addRegisterCommand } from "./commands/register";
import { addServiceCommands } from "./commands/service";
import { addStartCommand } from "./commands/start";
import { addStatusCommand } from "./commands/status";
import { exitCodes } from "./commands/usage";
import { addWorkspaceCommands } from "./commands/workspace";

const program = new Command("grove-device")
  .description("Runs commands from Grove on this machine: git worktrees for coding agents.")
  .version(version)
  .exitOverride()
  .showHelpAfterError("Run it with --help to see what it takes.")
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

addRegisterCommand(program);
addStartCommand(program);
addStatusCommand(program);
addProjectCommands(program);
addWorkspaceCommands(program);
addAgentsCommand(program);
addPruneCommand(program);
addDoctorCommand(program);
addServiceCommands(program);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : exitCodes.wrongUsage;
  else {
    process.stderr.write(`${asInstalled(error instanceof Error ? error.message : String(error))}\n`);
    process.exitCode = 1;
  }
}
