import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createClient } from "@grove/client";
import { signUp } from "@grove/testing/signUp";
import { builtProgram, startBuilt, temporaryDirectory } from "./programs";
import type { Scope } from "./scope";

export interface Grove {
  url: string;
  /** The API's process. */
  pid: number;
  sessionToken: string;
  apiKey: string;
  organizationId: string;
  /** The stock client, with the API key. */
  client: Client;
}

/**
 * Starts the built API in a process of its own on this database, as in production.
 * @param more further variables; without `PORT`, the system chooses one
 */
export async function startApi(
  scope: Scope,
  databaseUrl: string,
  more: Record<string, string> = {},
): Promise<{ url: string; pid: number }> {
  const variables = {
    DATABASE_URL: databaseUrl,
    CREDENTIALS_KEY: `1:${randomBytes(32).toString("base64")}`,
    PORT: "0",
    DATA_DIR: temporaryDirectory(scope),
    ...more,
  };
  const { pid, readyLine } = await startBuilt(scope, [builtProgram("api")], variables, (line) =>
    line.includes('"listening"'),
  );
  const { url } = JSON.parse(readyLine) as { url: string };
  return { url, pid };
}

/** Starts the API and signs up one person. */
export const startGrove = async (
  scope: Scope,
  databaseUrl: string,
  more?: Record<string, string>,
): Promise<Grove> => signUpTo(await startApi(scope, databaseUrl, more));

/** Signs up a new person, with an organization and an API key. */
export async function signUpTo({ url, pid }: { url: string; pid: number }): Promise<Grove> {
  const { token: sessionToken } = await signUp(url);
  const session = createClient({ apiUrl: url, token: sessionToken });
  const [organization] = await session.organization.list.query();
  if (!organization) throw new Error("Signing up has made no organization.");
  const organizationId = organization.id;
  const { key: apiKey } = await session.apiKey.create.mutate({
    organizationId,
    name: "bench",
    scopes: ["read", "write"],
  });
  const client = createClient({ apiUrl: url, token: apiKey });
  return { url, pid, sessionToken, apiKey, organizationId, client };
}

export const registerDevice = ({ client, organizationId }: Grove, name: string) =>
  client.device.register.mutate({ organizationId, name, platform: "linux" });

/**
 * Registers a device and starts its device agent, the built program, with a home of its own.
 * @param home may hold a `config.json`
 * @returns the device's id, the device agent's process and its environment, once it is online
 */
export async function startAgent(
  scope: Scope,
  grove: Grove,
  home = temporaryDirectory(scope),
): Promise<{ id: string; pid: number; variables: Record<string, string> }> {
  const { id, apiKey } = await registerDevice(grove, "bench");
  const variables = { API_URL: grove.url, DEVICE_KEY: apiKey, GROVE_HOME: home, HOME: home };
  const { pid } = await startBuilt(scope, [builtProgram("device"), "start"], variables, (line) =>
    line.includes('"connected"'),
  );
  // The device agent has connected. It is online once its first heartbeat is recorded.
  const { client, organizationId } = grove;
  for (;;) {
    const devices = await client.device.list.query({ organizationId, status: "online" });
    if (devices.some((device) => device.id === id)) return { id, pid, variables };
    await sleep(50);
  }
}

/** Does the same as {@link startAgent}; returns the device's id. */
export const startDevice = async (scope: Scope, grove: Grove): Promise<string> =>
  (await startAgent(scope, grove)).id;
