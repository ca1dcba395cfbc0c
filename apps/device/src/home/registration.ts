import { DEFAULT_API_URL, type DeviceFile, deviceFile } from "@grove/schemas";
import type { Env } from "../env";
import { readIfThere } from "../lib/fileSystem";
import type { Home } from "./home";

/**
 * Reads this machine's identity in the cloud, which `register` saved; undefined if the machine is not registered.
 * @throws {Error} if the file holds something else
 */
export async function readRegistration(home: Home): Promise<DeviceFile | undefined> {
  const content = await readIfThere(home.deviceFile);
  if (content === undefined) return undefined;
  try {
    return deviceFile.parse(JSON.parse(content));
  } catch (error) {
    throw new Error(
      `${home.deviceFile} cannot be read. Run \`grove-device register --force\` to register again.`,
      { cause: error },
    );
  }
}

/**
 * The address and identity for a connection. The environment overrides the file. The ids are missing if the key comes
 * from the environment.
 */
export interface Credentials {
  apiUrl: string;
  deviceKey: string;
  organizationId?: string;
  deviceId?: string;
  /** The key by which the API proves itself in local mode. */
  proofKey?: string | undefined;
}

/** @throws {Error} if neither the environment nor the file has a device key */
export async function readCredentials(home: Home, env: Env): Promise<Credentials> {
  const registered = await readRegistration(home);
  const apiUrl = env.apiUrl ?? registered?.apiUrl ?? DEFAULT_API_URL;
  if (env.deviceKey && env.deviceKey !== registered?.deviceKey) return { apiUrl, deviceKey: env.deviceKey };
  if (!registered)
    throw new Error(
      `This machine is not registered. Run \`grove-device register\` first, or set DEVICE_KEY.`,
    );
  // The key belongs to one Grove; another one cannot prove itself by it.
  const proofKey = apiUrl === registered.apiUrl ? registered.proofKey : undefined;
  return { ...registered, apiUrl, proofKey };
}
