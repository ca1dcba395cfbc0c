import * as z from "zod";
import { id } from "./values";

/** `DATA_DIR/local.json`: what local mode leaves for the programs on the same machine (mode 0600). */
export const localFile = z.object({
  apiUrl: z.url(),
  apiKey: z.string(),
  organizationId: id,
  deviceId: id,
  groveHome: z.string(),
});
export type LocalFile = z.infer<typeof localFile>;

/** `GROVE_HOME/device.json`: who a machine is to the cloud (mode 0600). */
export const deviceFile = z.object({
  apiUrl: z.url(),
  deviceKey: z.string(),
  deviceId: id,
  organizationId: id,
});
export type DeviceFile = z.infer<typeof deviceFile>;
