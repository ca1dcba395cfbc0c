import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

const inPackage = (manifest: string, program: string) => join(dirname(manifest), program);

/** The commands that start other vendors' desktop servers, at the versions that package.json pins. */
export const peers = {
  "@playwright/mcp": [inPackage(require.resolve("@playwright/mcp/package.json"), "cli.js")],
  "chrome-devtools-mcp": [
    inPackage(require.resolve("chrome-devtools-mcp/package.json"), "build/src/bin/chrome-devtools-mcp.js"),
    // Benchmarks must not count as usage.
    "--no-usage-statistics",
    "--no-performance-crux",
  ],
} as const;

export type Peer = keyof typeof peers;
export const peerNames = Object.keys(peers) as Peer[];
