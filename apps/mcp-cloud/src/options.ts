import { resolve } from "node:path";
import { Exit, type OwnOptions } from "@grove/mcp";

const DEFAULT_HOST = "127.0.0.1";
/** Not the API's `DEFAULT_PORT`, so that both can run on one machine. */
const DEFAULT_HTTP_PORT = 3001;

/** This program's own options. */
export const options = {
  local: {
    value: "dir",
    meaning: "use the Grove that keeps its data in dir, instead of API_URL and API_KEY",
  },
  http: { meaning: "serve Streamable HTTP at /mcp instead of stdin and stdout" },
  host: {
    value: "h",
    meaning: `the address to listen on, with --http (default ${DEFAULT_HOST}: this machine only)`,
  },
  port: { value: "n", meaning: `the port to listen on, with --http (default ${DEFAULT_HTTP_PORT}; 0: any)` },
};

/**
 * The directory of --local as an absolute path.
 * @throws {Exit} 2 when combined with --http
 */
export function readLocal({ local, http }: OwnOptions): string | undefined {
  if (typeof local !== "string") return undefined;
  if (http === true)
    throw new Exit(
      2,
      "--local and --http cannot be used together: anyone who can reach the port would use its key.",
    );
  return resolve(local);
}

/**
 * Where to serve HTTP; undefined for stdin and stdout.
 * @throws {Exit} 2 with the reason
 */
export function readHttp({ http, host, port }: OwnOptions): { host: string; port: number } | undefined {
  if (http === true)
    return { host: typeof host === "string" ? host : DEFAULT_HOST, port: portOf(port ?? DEFAULT_HTTP_PORT) };
  if (host === undefined && port === undefined) return undefined;
  throw new Exit(2, "--host and --port require --http. Try grove-mcp-cloud --help.");
}

function portOf(given: string | boolean | number): number {
  if (/^\d{1,5}$/.test(String(given)) && Number(given) <= 65_535) return Number(given);
  throw new Exit(2, `--port must be a number from 0 to 65535, not ${JSON.stringify(given)}.`);
}
