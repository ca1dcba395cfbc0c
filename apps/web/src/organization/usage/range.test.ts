import { expect, it } from "vitest";
import { rangeInput } from "./range";

it("ends at the next full hour, so that queries of the same hour are equal", () => {
  const early = rangeInput(7, Date.parse("2026-03-05T10:00:00.000Z"));
  expect(early).toEqual({ from: "2026-02-26T11:00:00.000Z", to: "2026-03-05T11:00:00.000Z" });
  expect(rangeInput(7, Date.parse("2026-03-05T10:59:59.999Z"))).toEqual(early);
  expect(rangeInput(7, Date.parse("2026-03-05T11:00:00.000Z"))).not.toEqual(early);
});
