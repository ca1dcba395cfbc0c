import { expect, it } from "vitest";
import { PostgresTooOldError } from "./errors";
import { requireSupported } from "./postgresVersion";

it.each([90624, 130011, 140012])("refuses version %s in one line", (number) => {
  expect(() => requireSupported(number)).toThrow(PostgresTooOldError);
  expect(() => requireSupported(number)).toThrow(
    `The server is PostgreSQL ${Math.floor(number / 10_000)}, and Grove needs 15 or newer.`,
  );
});

it.each([150000, 170010])("takes version %s", (number) => {
  expect(() => requireSupported(number)).not.toThrow();
});
