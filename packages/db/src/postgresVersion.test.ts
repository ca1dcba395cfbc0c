import { expect, it } from "vitest";
import { PostgresTooOldError } from "./errors";
import { refuseOlder } from "./postgresVersion";

it.each([90624, 130011, 140012])("refuses version %s in one line", (number) => {
  expect(() => refuseOlder(number)).toThrow(PostgresTooOldError);
  expect(() => refuseOlder(number)).toThrow(
    `The server is PostgreSQL ${Math.floor(number / 10_000)}, and Grove needs 15 or newer.`,
  );
});

it.each([150000, 170010])("takes version %s", (number) => {
  expect(() => refuseOlder(number)).not.toThrow();
});
