import { createLogger, Exit, narrow, readCommandLine, runMain, runStdio } from "@grove/mcp";
import { version } from "../package.json";
import { about } from "./about.static";
import { environment, readEnv } from "./env";
import { readOptions } from "./options";
import { createDesktopServer } from "./server";

void runMain(async () => {
  const argv = process.argv.slice(2);
  const isDoctor = argv[0] === "doctor";
  const commandLine = readCommandLine(isDoctor ? argv.slice(1) : argv, {
    name: "grove-mcp-desktop",
    version,
    summary: "MCP server that sees and drives a desktop app's UI over the Chrome DevTools Protocol.",
    environment,
    commands: ["grove-mcp-desktop doctor    reports whether the app's debugging port answers"],
    options: {
      launch: { meaning: "start one of this machine's Chromiums, for trying things out" },
      headless: { meaning: "start it without a window" },
      secrets: { value: "FILE", meaning: "replace the values of its NAME=value lines in every output" },
      "allow-origin": { value: "a,b", meaning: "stay on these origins" },
      "no-evaluate": { meaning: "do not offer evaluate_js" },
    },
  });
  const { logLevel, narrowing, ...settings } = readEnv();
  const log = createLogger(logLevel);
  const options = await readOptions(commandLine.own, settings, log);
  if (isDoctor) {
    const { diagnose } = await import("./doctor");
    const { ok, text } = await diagnose(options);
    throw new Exit(ok ? 0 : 1, text);
  }
  const readOnly = commandLine.readOnly === true || narrowing.readOnly === true;
  const offered = narrow(readOnly ? about.readOnlyTools : about.tools, commandLine, narrowing).filter(
    ({ name }) => name !== "evaluate_js" || commandLine.own["no-evaluate"] !== true,
  );
  await runStdio(createDesktopServer({ ...options, readOnly, tools: offered }), log);
});
