import * as z from "zod";
import { id } from "./values";

/** `DATA_DIR/local.json`: the address and key of local mode, for programs on the same machine (mode 0600). */
export const localFile = z.object({
  apiUrl: z.url(),
  apiKey: z.string(),
  organizationId: id,
  deviceId: id,
  groveHome: z.string(),
  /** The key whose possession the API at `apiUrl` must prove; see {@link proofMessage}. Older launchers wrote none. */
  proofKey: z.string().optional(),
});
export type LocalFile = z.infer<typeof localFile>;

/** `GROVE_HOME/device.json`: the identity of a machine as a device (mode 0600). */
export const deviceFile = z.object({
  apiUrl: z.url(),
  deviceKey: z.string(),
  deviceId: id,
  organizationId: id,
  /** As in {@link localFile}; only in local mode. */
  proofKey: z.string().optional(),
});
export type DeviceFile = z.infer<typeof deviceFile>;

/** Sent to an API on the same machine before any secret: 32 random bytes. */
export const proofChallenge = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits");

/** Returns the message that the API signs with its proof key. The signature is an HMAC-SHA256 in hexadecimal digits. */
export const proofMessage = ({
  address,
  port,
  challenge,
}: {
  address: string;
  port: number;
  challenge: string;
}): string => `grove proof\n${address}\n${port}\n${challenge}`;
