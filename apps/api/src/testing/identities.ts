import { sql } from "kysely";
import { addMember, makeSiteAdmin } from "./fixtures";
import type { TestServer } from "./server";

/** All kinds of callers, each with the credential they would present. */
export const identities = [
  "anonymous",
  "stranger",
  "siteAdmin",
  "member",
  "admin",
  "owner",
  "readKey",
  "writeKey",
  "expiredKey",
  "revokedKey",
  "device",
  "strangersDevice",
] as const;
type Identity = (typeof identities)[number];

/** Creates an organization with every kind of caller, another one next to it, and their credentials. */
export async function createIdentities(server: TestServer) {
  const [stranger, siteAdmin, member, admin, owner] = await Promise.all(
    ["Stranger", "Site admin", "Member", "Admin", "Owner"].map((name) => server.signUp(name)),
  );
  if (!stranger || !siteAdmin || !member || !admin || !owner) throw new Error("a sign-up returned no user");
  const { organizationId } = owner;
  await addMember(server, organizationId, member, "member");
  await addMember(server, organizationId, admin, "admin");
  const { db } = server.database;
  await makeSiteAdmin(server, siteAdmin);

  const key = async (scopes: ("read" | "write")[]) =>
    member.client.apiKey.create.mutate({ organizationId, name: "matrix", scopes });
  const [readKey, writeKey, expiredKey, revokedKey] = await Promise.all([
    key(["read"]),
    key(["read", "write"]),
    key(["read", "write"]),
    key(["read", "write"]),
  ]);
  await sql`update api_keys set expires_at = now() - interval '1 second' where id = ${expiredKey.id}`.execute(
    db,
  );
  await member.client.apiKey.revoke.mutate({ organizationId, id: revokedKey.id });

  const device = await member.client.device.register.mutate({
    organizationId,
    name: "members",
    platform: "linux",
  });
  const strangersDevice = await stranger.client.device.register.mutate({
    organizationId: stranger.organizationId,
    name: "strangers",
    platform: "mac",
  });

  const tokens: Record<Identity, string | undefined> = {
    anonymous: undefined,
    stranger: stranger.token,
    siteAdmin: siteAdmin.token,
    member: member.token,
    admin: admin.token,
    owner: owner.token,
    readKey: readKey.key,
    writeKey: writeKey.key,
    expiredKey: expiredKey.key,
    revokedKey: revokedKey.key,
    device: device.apiKey,
    strangersDevice: strangersDevice.apiKey,
  };

  return { organizationId, tokens, stranger, member, admin, owner, device, strangersDevice, key };
}
