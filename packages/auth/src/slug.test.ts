import { slug } from "@grove/schemas";
import fc from "fast-check";
import { expect, it } from "vitest";
import { slugOf, withRandomSuffix } from "./slug";

it.each([
  ["Ada Lovelace", "ada-lovelace"],
  ["Ada’s Team", "adas-team"],
  ["  Łódź & Söhne!  ", "lodz-sohne"],
  ["Ελλάδα", "ellada"],
  ["!!!", "organization"],
  ["👍🏽", "thumbsup"],
])("makes of %j %j", (name, expected) => {
  expect(slugOf(name)).toBe(expected);
});

it("always makes a slug that the schema takes, with a suffix or without", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (name) => {
      expect(slug.safeParse(slugOf(name)).success).toBe(true);
      expect(slug.safeParse(withRandomSuffix(slugOf(name))).success).toBe(true);
    }),
  );
});
