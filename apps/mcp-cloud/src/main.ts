import { createLogger, narrow, readCommandLine, runMain, runStdio } from "@grove/mcp";
import { environment, readEnv } from "./env";
import { createCloudServer, tools, VERSION } from "./server";

await runMain(async () => {
  const options = readCommandLine(process.argv.slice(2), {
    name: "grove-mcp-cloud",
    version: VERSION,
    summary: "MCP server for the devices, workspaces and projects of a Grove organization.",
    environment,
  });
  const { logLevel, narrowing, ...settings } = readEnv();
  const log = createLogger(logLevel);
  const offered = narrow(tools, options, narrowing);
  await runStdio(createCloudServer({ ...settings, tools: offered, log }), log);
});
