import { oauthClient, useProviders } from "@grove/integrations/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { identities } from "../testing/identities";
import { useTestServer } from "../testing/server";
import { createWorld } from "../testing/world";
import { call } from "./call";
import { matrix } from "./matrix";

const providers = await useProviders();
const server = await useTestServer({
  publicUrl: "https://grove.example.com",
  integrations: { ...providers.options, oauthClients: { github: oauthClient } },
});
const world = await createWorld(server);

/** How many inputs each procedure gets. */
const numRuns = 12;
/** No call takes this long: those that may wait are asked not to. */
const HANG_MS = 20_000;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const deep = (levels: number): Json => (levels === 0 ? [] : [deep(levels - 1)]);

/** Values that break carelessly written services, among anything else. */
const nasty: fc.Arbitrary<Json> = fc.oneof(
  fc.jsonValue({ maxDepth: 3, noUnicodeString: false }) as fc.Arbitrary<Json>,
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom<Json>(
    ...["", " ", "\0", "a\0b", "\ud800", "%_\\", "'; drop table users; --", "__proto__", "ﷺ".repeat(200)],
    ...["a".repeat(5_000), "NaN", "1e999", "-1", "../..", "0x10", "undefined", "\u202e"],
    ...["00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"],
    ...["2026-02-31T00:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59+14:00", "2026-11-21"],
    ...[0, -1, 1.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e308, 5e-324],
    ...[null, true, [], {}, [null], deep(200), { constructor: { prototype: {} } }],
  ),
);

const changes = fc.array(
  fc.record({
    at: fc.nat(),
    how: fc.constantFrom("replace", "remove", "add" as const),
    key: fc.oneof(fc.string(), fc.constantFrom("id", "organizationId", "__proto__", "length")),
    value: nasty,
  }),
  { maxLength: 3 },
);
type Change = (typeof changes extends fc.Arbitrary<infer Changes> ? Changes : never)[number];

/** A valid input with one place in it, at any depth, replaced, removed or added to. */
function changed(input: Json, { at, how, key, value }: Change): Json {
  const places: [holder: { value: Json } | Json[] | { [key: string]: Json }, key: string][] = [];
  const root = { value: input };
  const visit = (holder: (typeof places)[number][0], name: string) => {
    places.push([holder, name]);
    const inner = (holder as Record<string, Json>)[name];
    if (typeof inner === "object" && inner !== null)
      for (const innerName of Object.keys(inner)) visit(inner as { [key: string]: Json }, innerName);
  };
  visit(root, "value");
  const [holder, name] = places[at % places.length] as (typeof places)[number];
  const place = holder as Record<string, Json>;
  const added = structuredClone(value);
  const inner = place[name];
  if (how === "remove") delete place[name];
  else if (how === "add" && Array.isArray(inner)) inner.push(added);
  else if (how === "add" && typeof inner === "object" && inner !== null)
    Object.defineProperty(inner, key, { value: added, enumerable: true, configurable: true, writable: true });
  else place[name] = added;
  return root.value;
}

/** Procedures that may wait are asked not to: waiting does not depend on the input. */
const impatient = (input: Json): Json =>
  typeof input === "object" && input !== null && !Array.isArray(input) && typeof input.waitMs !== "string"
    ? { ...input, waitMs: 0 }
    : input;

const waits = new Set(["agent.execute", "agent.getCommand"]);

const hang = () =>
  new Promise<string>((resolve) => {
    setTimeout(() => resolve("no answer"), HANG_MS).unref();
  });

describe("any input gets an answer, and never an internal error", () => {
  it.each(Object.entries(matrix))(
    "%s",
    async (path, { outcomes, input }) => {
      // The caller who gets furthest: one who may make the call, otherwise one who is signed in.
      const found = outcomes.split(/\s+/);
      const identity = identities[Math.max(found.indexOf("ok"), 0)] ?? "member";
      const token = world.tokens[identity === "anonymous" ? "member" : identity];
      await fc.assert(
        fc.asyncProperty(changes, async (wanted) => {
          const valid = JSON.parse(JSON.stringify((await input(world)) ?? null)) as Json;
          const bad = wanted.reduce(changed, valid);
          const asked = waits.has(path) ? impatient(bad) : bad;
          const answer = await Promise.race([call(server.url, path, token, asked), hang()]);
          expect(answer, JSON.stringify(asked)).toMatch(/^(ok|[1-4]\d\d)$/);
        }),
        { numRuns },
      );
    },
    120_000,
  );
});
