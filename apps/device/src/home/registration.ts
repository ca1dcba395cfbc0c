import { type DeviceFile, deviceFile } from "@grove/schemas";
import type { Env } from "../env";
import { type Home, readIfThere } from "./home";

export const DEFAULT_API_URL = "http://127.0.0.1:3000";

/**
 * Who this machine is to the cloud, as `register` has written it down; undefined when it was not registered.
 * @throws Error when the file holds something else
 */
export async function readRegistration(home: Home): Promise<DeviceFile | undefined> {
  const content = await readIfThere(home.deviceFile);
  if (content === undefined) return undefined;
  try {
    return deviceFile.parse(JSON.parse(content));
  } catch (error) {
    throw new Error(
      `${home.deviceFile} cannot be read. Run \`grove-device register --force\` to register anew.`,
      { cause: error },
    );
  }
}

/** Where and as whom to connect. The environment stands above the file; the ids are missing when only it knows the key. */
export interface Credentials {
  apiUrl: string;
  deviceKey: string;
  organizationId?: string;
  deviceId?: string;
  /** What the API proves itself with, in local mode. */
  proofKey?: string | undefined;
}

/** @throws Error when neither the environment nor the file has a device key */
export async function readCredentials(home: Home, env: Env): Promise<Credentials> {
  const registered = await readRegistration(home);
  const apiUrl = env.apiUrl ?? registered?.apiUrl ?? DEFAULT_API_URL;
  if (env.deviceKey && env.deviceKey !== registered?.deviceKey) return { apiUrl, deviceKey: env.deviceKey };
  if (!registered)
    throw new Error(
      `This machine is not registered. Run \`grove-device register\` first, or set DEVICE_KEY.`,
    );
  // The key is that of one Grove: another one cannot prove itself by it.
  const proofKey = apiUrl === registered.apiUrl ? registered.proofKey : undefined;
  return { ...registered, apiUrl, proofKey };
}
