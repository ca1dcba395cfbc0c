import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readHouse } from "./repository";
import { rules } from "./rules";

const house = readHouse(fileURLToPath(new URL("../../..", import.meta.url)));

describe("Grove", () => {
  it("is read whole", () => {
    expect(house.packages.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["@grove/api", "@grove/schemas", "@grove/architecture"]),
    );
    expect(house.packages.flatMap(({ sources }) => sources).length).toBeGreaterThan(100);
  });

  it.each(Object.entries(rules))("%s", (_name, rule) => {
    expect(rule(house)).toEqual([]);
  });
});
