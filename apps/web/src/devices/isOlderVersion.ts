/** Whether a device's agent is older than the server; false while either version is unknown. */
export const isOlderVersion = (agent: string | null, server: string | undefined): boolean =>
  agent !== null && server !== undefined && agent.localeCompare(server, "en", { numeric: true }) < 0;
