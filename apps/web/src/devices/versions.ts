/** Whether a device's agent is older than the server; false while one of them is not known. */
export const isOlder = (agent: string | null, server: string | undefined): boolean =>
  agent !== null && server !== undefined && agent.localeCompare(server, "en", { numeric: true }) < 0;
