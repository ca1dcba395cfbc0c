import { resolvePrincipal, type UserPrincipal } from "@grove/auth";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { addMember } from "../../testing/fixtures";
import { queued, useOwnDevices } from "../../testing/ownDevices";
import { useTestServer } from "../../testing/server";
import { sweep } from "../end/sweep";
import { execute as executeAs, executeInput } from "../submit/execute";

const server = await useTestServer();
const { db } = server.database;
const ada = await server.signUp("Ada");
const { organizationId } = ada;
const { register, connect, execute, command } = useOwnDevices(server, ada);

/** The principal of a secret at this moment. */
async function principalOf(secret: string): Promise<UserPrincipal> {
  const principal = await resolvePrincipal(server.services.auth, secret);
  if (!principal || principal.kind === "device") throw new Error("No user has this secret.");
  return principal;
}

/** agent.execute by a principal that was looked up earlier. */
const submit = (principal: UserPrincipal, deviceId: string) =>
  executeAs(
    server.services,
    principal,
    executeInput.parse({ organizationId, deviceId, ...queued }),
    undefined,
  );

describe("a user who lost access", () => {
  it("is refused even with a principal looked up earlier, and nothing is queued", async () => {
    const { id } = await register();
    const bob = await server.signUp("Bob");
    await addMember(server, organizationId, bob, "admin");
    const principal = await principalOf(bob.token);
    await ada.client.organization.removeMember.mutate({ organizationId, userId: bob.user.id });
    await db.updateTable("devices").set({ shared: true }).where("id", "=", id).execute();
    const call = submit(principal, id);
    await expect(call).rejects.toMatchObject({ code: "FORBIDDEN", reason: "not_a_member" });
    expect(await ada.client.agent.listCommands.query({ organizationId, deviceId: id })).toEqual([]);
  });

  it("is refused with a key that was revoked after its lookup", async () => {
    const { id } = await register();
    const { key, id: keyId } = await ada.client.apiKey.create.mutate({ organizationId, name: "short" });
    const principal = await principalOf(key);
    await ada.client.apiKey.revoke.mutate({ organizationId, id: keyId });
    const call = submit(principal, id);
    await expect(call).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  it("has no queued command left to run: no device takes it, and the sweeper cancels it", async () => {
    const { id, apiKey } = await register();
    const { id: commandId } = await execute(id, queued);
    const stranger = await server.signUp("Eve");
    await sql`update device_commands set requested_by = ${stranger.user.id} where id = ${commandId}`.execute(
      db,
    );
    const { id: next } = await execute(id, queued);
    const device = connect(apiKey);
    await device.event("command", (command) => command.id === next);
    expect(device.events.filter(({ type }) => type === "command")).toHaveLength(1);
    await sweep(server.services);
    expect(await command(commandId)).toMatchObject({
      status: "canceled",
      error: { reason: "requester_revoked" },
    });
  });
});
