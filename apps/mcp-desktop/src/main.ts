import { createLogger, narrow, readCommandLine, runMain, runStdio } from "@grove/mcp";
import { Desktop } from "./desktop";
import { environment, readEnv } from "./env";
import { keepAll } from "./secrets";
import { createDesktopServer, tools, VERSION } from "./server";

await runMain(async () => {
  const options = readCommandLine(process.argv.slice(2), {
    name: "grove-mcp-desktop",
    version: VERSION,
    summary: "MCP server that sees and drives a desktop app's UI over the Chrome DevTools Protocol.",
    environment,
  });
  const { logLevel, narrowing, ...settings } = readEnv();
  const log = createLogger(logLevel);
  const desktop = new Desktop({ ...settings, origins: [], redact: keepAll, log });
  await runStdio(createDesktopServer(desktop, narrow(tools, options, narrowing), log), log);
});
