/**
 * The oldest device agent that this API works with. Raise it when device.connect, or what a device reports, changes so
 * that an older agent would misunderstand it.
 */
export const LEAST_AGENT_VERSION = "0.1.0";

/** Whether a version, as an agent names its own (Semantic Versioning, its pre-release left out), is too old to work with. */
export function isOutdated(agentVersion: string): boolean {
  const [version, least] = [numbers(agentVersion), numbers(LEAST_AGENT_VERSION)];
  for (const [index, number] of least.entries()) {
    const own = version[index] ?? 0;
    if (own !== number) return own < number;
  }
  return false;
}

/** Of what is no version at all, none: it is taken for 0.0.0. */
const numbers = (version: string): number[] =>
  /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? [];
