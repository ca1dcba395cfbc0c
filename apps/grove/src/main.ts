import { DEFAULT_PORT, messageOf } from "@grove/schemas";
import { Argument, Command, InvalidArgumentError } from "commander";
import { version } from "../package.json";
import { clientNames } from "./clients/clients";
import { chooseDataDir, dataDirOption } from "./commandLine";
import { connect } from "./commands/connect";
import { demo } from "./commands/demo";
import { exportOrganization } from "./commands/export";
import { printLink } from "./commands/link";
import { runApiCommand, runDeviceCommand } from "./commands/programs";
import { printSession } from "./commands/signIn";
import { type StartOptions, start } from "./commands/start";
import { status } from "./commands/status";
import { readEnv } from "./env";
import { Stopped, UserError } from "./errors";
import { say } from "./print";
import { addWorkspaceCommands } from "./workspaceCommands";

const program = new Command("grove")
  .description("Grove, a self-hosted control plane for coding agents.")
  .version(version)
  .enablePositionalOptions()
  .showHelpAfterError("Run it with --help to see its options.");

program
  .command("start")
  .description("run Grove on this machine: API, embedded database, and this machine as a device")
  .option(
    "--port <port>",
    `the API's port on loopback (default: PORT, otherwise the last one, otherwise ${DEFAULT_PORT})`,
    port,
  )
  .addOption(dataDirOption())
  .option("--bare", "the API alone, configured by the environment; implied by DATABASE_URL", false)
  .option("--json", "one line of JSON on stdout when it is ready", false)
  .option("--verbose", "show everything that the programs log, not only warnings", false)
  .action((options: StartOptions) => start(options, readEnv(), say));

program
  .command("status")
  .description("show whether Grove is running, and how to use it")
  .addOption(dataDirOption())
  .option("--json", "one line of JSON", false)
  .action(({ dataDir, json }: { dataDir?: string; json: boolean }) => {
    const env = readEnv();
    return status(chooseDataDir(dataDir, env), env, { json });
  });

/** Commands of another program, on local mode's data or its device. */
const onProgram = (run: typeof runDeviceCommand, name: string, description: string, words: string[] = []) =>
  program
    .command(name)
    .description(description)
    .argument("[args...]")
    .addOption(dataDirOption())
    .passThroughOptions()
    .allowUnknownOption()
    .action((args: string[], { dataDir }: { dataDir?: string }) => {
      const env = readEnv();
      return run([...words, ...args], chooseDataDir(dataDir, env), env);
    });
onProgram(
  runDeviceCommand,
  "project",
  "the repositories that Grove can use: project add <path>, project list",
  ["project"],
);
onProgram(runDeviceCommand, "doctor", "check what commands need on this machine, and suggest fixes", [
  "doctor",
]);
onProgram(runDeviceCommand, "rescue", "list the work of deleted workspaces, or bring one back as a branch", [
  "rescue",
]);
onProgram(runDeviceCommand, "device", "run grove-device on this machine's device: device workspace list");
onProgram(runApiCommand, "api", "run grove-api on local mode's data: api backup <file>, api restore <file>");

addWorkspaceCommands(program);

program
  .command("connect")
  .description("add Grove to the configuration of an MCP client")
  .addArgument(new Argument("[client]", "the MCP client").choices(clientNames))
  .addOption(dataDirOption())
  .option("--print", "only print what would be added", false)
  .action((client, { dataDir, print }: { dataDir?: string; print: boolean }) => {
    const env = readEnv();
    if (client === undefined && !print)
      throw new UserError(
        `Name a client (${clientNames.join(", ")}), or run it with --print to see what other clients need.`,
      );
    return connect(client, chooseDataDir(dataDir, env), env, { print });
  });

program
  .command("demo")
  .description("show in a temporary directory what an agent does with Grove")
  .option("--keep", "keep the directory", false)
  .action((options: { keep: boolean }) => demo(options, readEnv(), say));

program
  .command("link")
  .description("print a link that signs a browser in to the console")
  .addOption(dataDirOption())
  .action(({ dataDir }: { dataDir?: string }) => printLink(chooseDataDir(dataDir, readEnv())));

program
  .command("sign-in")
  .description("print a session token of local mode's owner")
  .addOption(dataDirOption())
  .option("--json", "one line of JSON", false)
  .action(({ dataDir, json }: { dataDir?: string; json: boolean }) => {
    const env = readEnv();
    return printSession({ dataDir: chooseDataDir(dataDir, env), json });
  });

program
  .command("export")
  .description("export everything that you can read of an organization to a JSON file")
  .argument("<file>", "readable only by you; an existing file is replaced")
  .addOption(dataDirOption())
  .option("--api-url <url>", "a team's server, instead of local mode's; your key there is read from API_KEY")
  .option("--organization <slug>", "with --api-url: which one, if you are in several")
  .action(
    (file: string, { dataDir, ...of }: { dataDir?: string; apiUrl?: string; organization?: string }) => {
      const env = readEnv();
      return exportOrganization(file, { ...of, dataDir: chooseDataDir(dataDir, env) }, env, say);
    },
  );

function port(value: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number > 65_535)
    throw new InvalidArgumentError("It must be a number from 0 to 65535.");
  return number;
}

/** The exit code that shells report for a command that Ctrl+C has ended. */
const INTERRUPTED = 130;

// A closed output, such as that of a closed terminal, must not end the launcher before its programs.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {});

program.parseAsync().catch((error: unknown) => {
  if (error instanceof Stopped) {
    process.exitCode = INTERRUPTED;
    return;
  }
  say(error instanceof Error && !(error instanceof UserError) ? String(error.stack) : messageOf(error));
  process.exitCode = 1;
});
