import { createClient, errorData } from "@grove/client";
import type { LocalFile } from "@grove/schemas";
import { UserError } from "../errors";
import type { DataDir } from "./dataDir";
import { signInOwner } from "./owner";

const KEY_NAME = "MCP clients of this machine";

export interface IdentityDeps {
  apiUrl: string;
  dir: DataDir;
  /** Runs the device program's registration with this API key. */
  registerDevice(apiKey: string): Promise<void>;
  /** Proves to programs of this machine that this API is their Grove. */
  proofKey: string;
  say(text: string): void;
  signal: AbortSignal;
}

/**
 * The identity of local mode, from local.json: the owner's API key, and this machine as a device. Replaces the parts
 * that are missing or no longer valid, so the next run completes a first run that was killed half-way.
 */
export async function ensureIdentity(deps: IdentityDeps): Promise<LocalFile> {
  const { apiUrl, dir, signal, proofKey } = deps;
  const before = await dir.local.read();
  const key = (before && (await organizationOf(before.apiKey, deps))) ?? (await createKey(deps));
  const deviceId = await ensureDevice(key, deps);
  const local = { apiUrl, ...key, deviceId, groveHome: dir.groveHome, proofKey };
  signal.throwIfAborted();
  await dir.local.write(local);
  return local;
}

interface Key {
  apiKey: string;
  organizationId: string;
}

/** The key with its organization; undefined if the API does not accept the key. */
async function organizationOf(apiKey: string, { apiUrl, signal }: IdentityDeps): Promise<Key | undefined> {
  const client = createClient({ apiUrl, token: apiKey });
  const organizations = await unlessRefused(client.organization.list.query(undefined, { signal }));
  return organizations?.[0] && { apiKey, organizationId: organizations[0].id };
}

async function createKey({ apiUrl, dir, say, signal }: IdentityDeps): Promise<Key> {
  const client = createClient({ apiUrl, token: await signInOwner(apiUrl, dir, signal) });
  // The oldest organization is the owner's personal one.
  const [organization] = await client.organization.list.query(undefined, { signal });
  if (!organization)
    throw new UserError("The owner of local mode has no organization left. Start with another --data-dir.");
  say(
    `Signed in as the owner, of the organization "${organization.name}"; creating an API key for MCP clients.`,
  );
  const organizationId = organization.id;
  // Keys of this name that are not in local.json are lost: no program holds them.
  for (const lost of await client.apiKey.list.query({ organizationId }, { signal }))
    if (lost.name === KEY_NAME)
      await client.apiKey.revoke.mutate({ organizationId, id: lost.id }, { signal });
  const created = await client.apiKey.create.mutate({ organizationId, name: KEY_NAME }, { signal });
  return { apiKey: created.key, organizationId };
}

async function ensureDevice(key: Key, deps: IdentityDeps): Promise<string> {
  const { apiUrl, dir, registerDevice, proofKey, say, signal } = deps;
  const before = await dir.device.read();
  if (before) {
    const client = createClient({ apiUrl, token: before.deviceKey });
    const self = await unlessRefused(client.device.self.query(undefined, { signal }));
    if (self?.organization.id === key.organizationId) {
      if (before.apiUrl !== apiUrl || before.proofKey !== proofKey)
        await dir.device.write({ ...before, apiUrl, proofKey });
      return self.device.id;
    }
  }
  say("Registering this machine as a device.");
  await registerDevice(key.apiKey);
  const registered = await dir.device.read();
  if (!registered) throw new UserError(`The device did not write ${dir.device.path}.`);
  await dir.device.write({ ...registered, proofKey });
  return registered.deviceId;
}

/** Returns the API's response; undefined if the API does not accept the credential. */
async function unlessRefused<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (errorData(error)?.code === "UNAUTHORIZED") return undefined;
    throw error;
  }
}
