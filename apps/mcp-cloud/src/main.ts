import { createLogger, narrow, readCommandLine, runMain, runStdio } from "@grove/mcp";
import { startTracing } from "@grove/tracing";
import { version } from "../package.json";
import { about } from "./about.static";
import { environment, readEnv } from "./env";
import { options, readHttp, readLocal } from "./options";
import { createCloudServer } from "./server";

void runMain(async () => {
  const commandLine = readCommandLine(process.argv.slice(2), {
    name: "grove-mcp-cloud",
    version,
    summary: "MCP server for the devices, workspaces, agent sessions and tasks of a Grove organization.",
    environment,
    options,
  });
  const { logLevel, narrowing, publicUrl, apiKey, otlpEndpoint, workspaceId, ...settings } = readEnv();
  const log = createLogger(logLevel);
  await startTracing({
    endpoint: otlpEndpoint,
    service: "grove-mcp-cloud",
    version,
    onProblem: (problem) => log.warn("spans could not be sent", { problem }),
  });
  const local = readLocal(commandLine.own);
  const tools = narrow(about.tools, commandLine, narrowing);
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    log.warn("API_KEY is not a key: keys consist of printable ASCII characters, without blanks");
  const serverFor = (credential: string | undefined) =>
    createCloudServer({ ...settings, apiKey: credential, local, tools, log });
  const address = readHttp(commandLine.own);
  if (!address)
    return runStdio(createCloudServer({ ...settings, apiKey, workspaceId, local, tools, log }), log);
  // With that key, anyone who can reach the port could act as its owner.
  if (apiKey !== undefined) log.warn("API_KEY is not used with --http: each client presents its own");
  const { runHttp } = await import("@grove/mcp/http");
  return runHttp({ ...address, createServer: serverFor, publicUrl, log });
});
