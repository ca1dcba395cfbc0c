import { DEFAULT_API_URL, messageOf } from "@grove/schemas";
import { Command, CommanderError } from "commander";
import { version } from "../package.json";
import { addAgentCommands } from "./cli/agent";
import { addAgentsCommand } from "./cli/agents";
import { addDoctorCommand } from "./cli/doctor";
import { addProjectCommands } from "./cli/project";
import { addPruneCommand } from "./cli/prune";
import { addRegisterCommand } from "./cli/register";
import { addRescueCommand } from "./cli/rescue";
import { addServiceCommands } from "./cli/service";
import { addStartCommand } from "./cli/start";
import { addStatusCommand } from "./cli/status";
import { exitCodes, note } from "./cli/usage";
import { addWorkspaceCommands } from "./cli/workspace";

const program = new Command("grove-device")
  .description("Runs commands from Grove on this machine: git worktrees for coding agents.")
  .version(version)
  .exitOverride()
  .showHelpAfterError("Run it with --help to see its options.")
  .addHelpText(
    "after",
    `
Environment:
  API_URL      where the API is (default ${DEFAULT_API_URL})
  API_KEY      an API key, only for register
  DEVICE_KEY   the device key, instead of the one that register stored
  GROVE_HOME   where everything is kept (default ~/.grove)
  OTEL_EXPORTER_OTLP_ENDPOINT
               an OpenTelemetry collector that receives traces of commands
  LOG_LEVEL    fatal, error, warn, info (default), debug, trace or silent`,
  );

addRegisterCommand(program);
addStartCommand(program);
addStatusCommand(program);
addProjectCommands(program);
addWorkspaceCommands(program);
addAgentsCommand(program);
addAgentCommands(program);
addPruneCommand(program);
addRescueCommand(program);
addDoctorCommand(program);
addServiceCommands(program);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : exitCodes.wrongUsage;
  else {
    note(messageOf(error));
    process.exitCode = 1;
  }
}
