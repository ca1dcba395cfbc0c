import * as z from "zod";
import { id } from "./values";

/** `DATA_DIR/local.json`: what local mode leaves for the programs on the same machine (mode 0600). */
export const localFile = z.object({
  apiUrl: z.url(),
  apiKey: z.string(),
  organizationId: id,
  deviceId: id,
  groveHome: z.string(),
  /** What the API at `apiUrl` proves itself with; see {@link proofWords}. A launcher of an older version wrote none. */
  proofKey: z.string().optional(),
});
export type LocalFile = z.infer<typeof localFile>;

/** `GROVE_HOME/device.json`: who a machine is to the cloud (mode 0600). */
export const deviceFile = z.object({
  apiUrl: z.url(),
  deviceKey: z.string(),
  deviceId: id,
  organizationId: id,
  /** As in {@link localFile}; there is one in local mode alone. */
  proofKey: z.string().optional(),
});
export type DeviceFile = z.infer<typeof deviceFile>;

/** What a program sends to an API on the same machine before it says a secret: 32 random bytes. */
export const proofChallenge = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits");

/** What the API answers the HMAC-SHA256 of, by its proof key, in hexadecimal digits. */
export const proofWords = (of: { address: string; port: number; challenge: string }): string =>
  `grove proof\n${of.address}\n${of.port}\n${of.challenge}`;
