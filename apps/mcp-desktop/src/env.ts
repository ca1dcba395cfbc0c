import { readEnvironment, serverEnv } from "@grove/mcp";
import * as z from "zod";

const shape = {
  ...serverEnv,
  CDP_URL: z
    .url({ protocol: /^(https?|wss?)$/, error: "must be an http or ws URL" })
    .default("http://127.0.0.1:9222"),
  APP_URL: z.string().max(1_000).optional(),
  CHROMIUM_PATH: z.string().optional(),
  PATH: z.string().default(""),
};

/** The meaning of each variable, for --help. */
export const environment = {
  CDP_URL: "the app's debugging port (default http://127.0.0.1:9222)",
  APP_URL: "part of the address or title of the app's window, if it has several; * matches anything",
  CHROMIUM_PATH: "the browser that --launch starts (default: one of this machine's)",
};

/**
 * The server's environment. Nothing else reads process.env.
 * @throws {Exit} 1 with one line for each invalid variable
 */
export function readEnv(source: NodeJS.ProcessEnv = process.env) {
  const env = readEnvironment(shape, source);
  return {
    cdpUrl: env.CDP_URL,
    appUrl: env.APP_URL,
    chromiumPath: env.CHROMIUM_PATH,
    searchPath: env.PATH,
    logLevel: env.LOG_LEVEL,
    narrowing: { readOnly: env.READ_ONLY, tools: env.TOOLS },
  };
}
