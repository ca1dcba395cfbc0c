import { createLogger, narrow, readCommandLine, runMain, runStdio } from "@grove/mcp";
import { about } from "./about.static";
import { createCloudServer } from "./cloudServer";
import { environment, readEnv } from "./env";

void runMain(async () => {
  const options = readCommandLine(process.argv.slice(2), {
    name: "grove-mcp-cloud",
    version: about.version,
    summary: "MCP server for the devices, workspaces and projects of a Grove organization.",
    environment,
  });
  const { logLevel, narrowing, ...settings } = readEnv();
  const log = createLogger(logLevel);
  const offered = narrow(about.tools, options, narrowing);
  await runStdio(createCloudServer({ ...settings, tools: offered, log }), log);
});
