import { oauthClient, useProviders } from "@grove/integrations/testing";
import { describe, expect, it } from "vitest";
import { procedures } from "../router";
import { addMember } from "../testing/fixtures";
import { password, useTestServer } from "../testing/server";
import { createWorld, identities } from "../testing/world";
import { actionOf, audited, notAudited } from "./audited";
import { call } from "./call";
import { matrix } from "./matrix";

const providers = await useProviders();
const server = await useTestServer({
  publicUrl: "https://grove.example.com",
  integrations: { ...providers.options, oauthClients: { github: oauthClient } },
});
const world = await createWorld(server);

interface Arranged {
  token: string | undefined;
  input: unknown;
}

/** A new member beside the others. */
async function newcomer() {
  const person = await server.signUp("Newcomer");
  await addMember(server, world.organizationId, person, "member");
  return person;
}

/** Used where the matrix has no call that succeeds, or only one by a caller without a membership. */
const arrangements: Record<string, () => Promise<Arranged>> = {
  "admin.deleteUser": async () => ({
    token: world.tokens.siteAdmin,
    input: { id: (await newcomer()).user.id },
  }),
  "admin.setUserDisabled": async () => ({
    token: world.tokens.siteAdmin,
    input: { id: (await newcomer()).user.id, disabled: true },
  }),
  "agent.sessionSecrets": async () => {
    const { commandId } = await world.startingSession();
    const { organizationId, project } = world;
    await world.owner.client.project.setSecret.mutate({
      organizationId,
      projectId: project.id,
      key: "TOKEN",
      value: "hunter2",
    });
    return { token: world.tokens.device, input: { commandId } };
  },
  "organization.acceptInvitation": async () => {
    const { token, user } = await server.signUp("Invited");
    return { token, input: { token: (await world.invitation(user.email)).token } };
  },
  "user.delete": async () => ({ token: (await newcomer()).token, input: { password } }),
};

/** The matrix's call, by the first caller in its row who may make it. */
async function ofMatrix(path: string): Promise<Arranged> {
  const entry = matrix[path];
  const identity = identities[entry?.outcomes.split(/\s+/).indexOf("ok") ?? -1];
  if (!entry || !identity) throw new Error(`the matrix has no call of ${path} that succeeds`);
  return { token: world.tokens[identity], input: await entry.input(world) };
}

async function countEvents(action: string): Promise<number> {
  const { count } = await server.database.db
    .selectFrom("audit_events")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("action", "=", action)
    .executeTakeFirstOrThrow();
  return Number(count);
}

describe("audit events", () => {
  it("are written, or not for a reason, by every mutation", () => {
    const mutations = Object.keys(procedures).filter((path) => procedures[path]?._def.type === "mutation");
    expect([...audited, ...Object.keys(notAudited)].sort()).toEqual(mutations.sort());
  });

  it.each(audited)("%s writes them", async (path) => {
    const { token, input } = await (arrangements[path]?.() ?? ofMatrix(path));
    const action = actionOf[path] ?? path;
    const before = await countEvents(action);
    expect(await call(server.url, path, token, input)).toBe("ok");
    // If its user is in several organizations, there is one in each.
    expect(await countEvents(action)).toBeGreaterThan(before);
  });
});
