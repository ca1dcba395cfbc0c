import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readRepository } from "./repository";
import { rules } from "./rules";

const repository = readRepository(fileURLToPath(new URL("../../..", import.meta.url)));

describe("Grove", () => {
  it("is read completely", () => {
    expect(repository.packages.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["@grove/api", "@grove/schemas", "@grove/architecture"]),
    );
    expect(repository.packages.flatMap(({ sources }) => sources).length).toBeGreaterThan(100);
  });

  it.each(Object.entries(rules))("%s", (_name, rule) => {
    expect(rule(repository)).toEqual([]);
  });
});
