import "./jitless";

export { type CallResult, callTool } from "./call";
export { AuthenticationRequired, Exit, ToolError } from "./errors";
export { createLogger, type Logger, type LogLevel } from "./log";
export { checkTools, documentTool } from "./policy";
export {
  type Narrowing,
  narrow,
  type OwnOptions,
  type Program,
  readCommandLine,
  readEnvironment,
  runMain,
  serverEnv,
} from "./program";
export {
  createServer,
  describeTool,
  type ListedTool,
  type ServerDeps,
  type ToolServer,
  type ToolSet,
} from "./server";
export { runStdio } from "./stdio/run";
export { defineTool, type Tool, type ToolAnnotations, type ToolContent, type ToolContext } from "./tool";
