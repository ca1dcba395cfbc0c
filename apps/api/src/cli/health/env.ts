import { DEFAULT_PORT } from "@grove/schemas";

/**
 * Where this machine's API listens, as `../env.ts` reads it. This file is separate, because the check of a supervisor
 * runs every few seconds and loads nothing else of the API.
 */
export function readOrigin({ HOST, PORT }: NodeJS.ProcessEnv = process.env): string {
  const host = HOST || "127.0.0.1";
  // An address to listen on everywhere is none to connect to.
  const reached = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
  return `http://${reached.includes(":") ? `[${reached}]` : reached}:${PORT || DEFAULT_PORT}`;
}
