import type { CommandListed } from "@grove/schemas";
import { expect, it } from "vitest";
import { actionOf, causeOf, newsOf } from "./failures";

const command = (id: string, finishedAt: string | null) =>
  ({ id, createdAt: finishedAt ?? "2026-01-09T00:00:00.000Z", finishedAt }) as CommandListed;

it("lists the failures of three days that are not put away, the newest first", () => {
  const commands = [
    command("old", "2026-01-01T00:00:00.000Z"),
    command("first", "2026-01-08T00:00:00.000Z"),
    command("second", "2026-01-09T00:00:00.000Z"),
    command("put away", "2026-01-09T12:00:00.000Z"),
  ];
  const news = newsOf(commands, ["put away"], Date.parse("2026-01-10T00:00:00.000Z"));
  expect(news.map(({ id }) => id)).toEqual(["second", "first"]);
});

it("says what a command was to do, and why it did not", () => {
  expect([actionOf("start_agent_session"), actionOf("something_new")]).toEqual([
    "start an agent",
    "run something_new",
  ]);
  expect(causeOf({ status: "failed", error: { reason: "x", message: "No such branch." } })).toBe(
    "No such branch.",
  );
  expect(causeOf({ status: "expired", error: null })).toContain("did not come back");
});
