import { Command, CommanderError } from "commander";
import { version } from "../package.json";
import { addAgentsCommand } from "./cli/agents";
import { addDoctorCommand } from "./cli/doctor";
import { addProjectCommands } from "./cli/project";
import { addPruneCommand } from "./cli/prune";
import { addRegisterCommand } from "./cli/register";
import { addServiceCommands } from "./cli/service";
import { addStartCommand } from "./cli/start";
import { addStatusCommand } from "./cli/status";
import { exitCodes, note } from "./cli/usage";
import { addWorkspaceCommands } from "./cli/workspace";

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
  OTEL_EXPORTER_OTLP_ENDPOINT
               a collector of OpenTelemetry, which is sent traces of commands
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
    note(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
