import type { ServerResponse } from "node:http";
import type { Vault } from "@grove/auth";
import * as z from "zod";

export const PROBE_PATH = "/api/doctor";
export const PROBE_HEADER = "x-grove-doctor";

/** How long a probe is valid, on clocks that differ a little. */
const VALID_MS = 60_000;
const LONGEST_SILENCE_MS = 30_000;
const IDENTITY = "grove-api doctor";

const probe = z.strictObject({ at: z.number(), silentMs: z.number().min(0).max(LONGEST_SILENCE_MS) });
type Probe = z.infer<typeof probe>;

/** The server's view of the request: how many addresses proxies have added, and how many of these it trusts. */
export const seen = z.object({ proxies: z.number(), trusted: z.number() });
export type Seen = z.infer<typeof seen>;

/** Returns a proof that the caller has the service's key. Only the same key opens the proof, for a minute. */
export const sealProbe = (vault: Vault, silentMs: number): string =>
  vault.seal(JSON.stringify({ at: Date.now(), silentMs } satisfies Probe), IDENTITY);

/** The probe; undefined if it is not of this key, or too old. */
export function openProbe(vault: Vault, sealed: string): Probe | undefined {
  try {
    const opened = probe.parse(JSON.parse(vault.open(sealed, IDENTITY)));
    return Math.abs(Date.now() - opened.at) < VALID_MS ? opened : undefined;
  } catch {
    return undefined;
  }
}

/** Ends a stream with a last event after a silence, or when the server shuts down. */
export function closeAfter(stream: ServerResponse, silentMs: number, draining: AbortSignal): void {
  const end = () => {
    clearTimeout(timer);
    draining.removeEventListener("abort", end);
    stream.end('data: "end"\n\n');
  };
  const timer = setTimeout(end, silentMs);
  draining.addEventListener("abort", end);
  stream.once("close", end);
}
