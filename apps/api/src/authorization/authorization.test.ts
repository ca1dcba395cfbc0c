import { oauthClient, useProviders } from "@grove/integrations/testing";
import { describe, expect, it } from "vitest";
import { procedures } from "../router";
import { identities } from "../testing/identities";
import { useTestServer } from "../testing/server";
import { createWorld } from "../testing/world";
import type { Meta } from "../trpc/init";
import { call } from "./call";
import { matrix } from "./matrix";

const providers = await useProviders();
const server = await useTestServer({
  publicUrl: "https://grove.example.com",
  integrations: { ...providers.options, oauthClients: { github: oauthClient } },
});
const world = await createWorld(server);

describe("the authorization matrix", () => {
  it("has an entry for every procedure, and no other", () => {
    expect(Object.keys(matrix).sort()).toEqual(Object.keys(procedures).sort());
  });

  it.each(Object.entries(matrix))("%s", async (path, { outcomes, input }) => {
    const found: Record<string, string> = {};
    for (const identity of identities)
      found[identity] = await call(server.url, path, world.tokens[identity], await input(world));
    const expected = Object.fromEntries(
      outcomes.split(/\s+/).map((outcome, at) => [identities[at], outcome]),
    );
    expect(found).toEqual(expected);
  });

  it.each(Object.entries(matrix).filter(([, entry]) => entry.foreign))(
    "%s: another organization's rows do not exist",
    async (path, { foreign }) => {
      expect(await call(server.url, path, world.stranger.token, await foreign?.(world))).toBe("404");
    },
  );
});

// Contract: api.routers, api.kinds
it("the procedures, their kinds and guards", async () => {
  const lines = Object.entries(procedures).map(
    ([path, { _def }]) => `${path} ${_def.type} ${(_def.meta as Meta).guard}`,
  );
  await expect(`${lines.sort().join("\n")}\n`).toMatchFileSnapshot("authorization.snapshot.txt");
});
