/**
 * The oldest device agent that this API works with. Raise it when device.connect, or a device's report, changes so that
 * an older agent would misunderstand it.
 */
export const LEAST_AGENT_VERSION = "0.1.0";

/** Whether an agent's version is too old to work with. It is a semantic version; its pre-release part is ignored. */
export function isOutdated(agentVersion: string): boolean {
  const [version, least] = [numbers(agentVersion), numbers(LEAST_AGENT_VERSION)];
  for (const [index, number] of least.entries()) {
    const own = version[index] ?? 0;
    if (own !== number) return own < number;
  }
  return false;
}

/** The three numbers of a version. Without a valid version there are none, and it counts as 0.0.0. */
const numbers = (version: string): number[] =>
  /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? [];
