import { newId } from "@grove/db";
import { oauthClient, useProviders } from "@grove/integrations/testing";
import { describe, expect, it } from "vitest";
import { procedures } from "../router";
import { useTestServer } from "../testing/server";
import { createWorld } from "../testing/world";
import { matrix } from "./matrix";

const providers = await useProviders();
const server = await useTestServer({
  publicUrl: "https://grove.example.com",
  integrations: { ...providers.options, oauthClients: { github: oauthClient } },
});
const world = await createWorld(server);
const theirs = world.stranger.organizationId;

/** A mutation's answer to a read-only key, in an organization that its owner is not a member of. */
async function refusal(path: string, input: object) {
  const answer = await fetch(`${server.url}/api/trpc/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${world.tokens.readKey}`, "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  const { error } = (await answer.json()) as { error: { data: { code: string; reason?: string } } };
  return error.data.reason ?? error.data.code;
}

/** The same input, in the other organization; undefined when it names none. */
function inTheirs(input: unknown): object | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  if ("organizationId" in input) return { ...input, organizationId: theirs };
  if ("events" in input && Array.isArray(input.events)) return { events: input.events.map(inTheirs) };
  return undefined;
}

const mutations = Object.entries(matrix).filter(([path]) => procedures[path]?._def.type === "mutation");

describe("a call's errors are reported in one order: its input, then membership, then scope", () => {
  it.each(mutations)("%s", async (path, { input }) => {
    const given = inTheirs(await input(world));
    if (!given) return;
    expect(await refusal(path, given)).toBe("not_a_member");
    expect(await refusal(path, { ...given, unheardOf: 1 })).toBe("BAD_REQUEST");
  });

  it("agent.execute: the parameters of the tool are input", async () => {
    const command = { organizationId: theirs, deviceId: newId(), tool: "delete_workspace" };
    expect(await refusal("agent.execute", { ...command, params: {} })).toBe("BAD_REQUEST");
    const params = { workspaceIds: [newId()] };
    expect(await refusal("agent.execute", { ...command, params })).toBe("not_a_member");
  });
});
