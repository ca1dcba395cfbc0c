import { PORTS_PER_WORKSPACE } from "@grove/schemas";

/** Below the ephemeral port ranges of Linux and macOS. */
const FIRST_PORT = 20_000;
const LAST_PORT = 29_999;

/** The variable with the first of a workspace's ports, in its sessions and its repository's scripts. */
export const PORT_VARIABLE = "GROVE_PORT_BASE";

/**
 * The first of a workspace's ports, which no other workspace has, so that the servers of several workspaces can run at
 * the same time. Another program may listen there. Once all are taken, workspaces share them.
 */
export function choosePortBase(taken: Iterable<number>): number {
  const others = new Set(taken);
  for (let port = FIRST_PORT; port < LAST_PORT; port += PORTS_PER_WORKSPACE)
    if (!others.has(port)) return port;
  const ranges = Math.floor((LAST_PORT - FIRST_PORT + 1) / PORTS_PER_WORKSPACE);
  return FIRST_PORT + PORTS_PER_WORKSPACE * (others.size % ranges);
}
