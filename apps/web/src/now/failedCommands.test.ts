import type { CommandListed } from "@grove/schemas";
import { expect, it } from "vitest";
import { describeTool, failureReason, recentFailures } from "./failedCommands";

const command = (id: string, finishedAt: string | null) =>
  ({ id, createdAt: finishedAt ?? "2026-01-09T00:00:00.000Z", finishedAt }) as CommandListed;

it("lists the failures of the last three days that are not dismissed, newest first", () => {
  const commands = [
    command("old", "2026-01-01T00:00:00.000Z"),
    command("first", "2026-01-08T00:00:00.000Z"),
    command("second", "2026-01-09T00:00:00.000Z"),
    command("dismissed", "2026-01-09T12:00:00.000Z"),
  ];
  const recent = recentFailures(commands, ["dismissed"], Date.parse("2026-01-10T00:00:00.000Z"));
  expect(recent.map(({ id }) => id)).toEqual(["second", "first"]);
});

it("describes a command and the reason of its failure", () => {
  expect([describeTool("start_agent_session"), describeTool("something_new")]).toEqual([
    "start an agent",
    "run something_new",
  ]);
  expect(failureReason({ status: "failed", error: { reason: "x", message: "No such branch." } })).toBe(
    "No such branch.",
  );
  expect(failureReason({ status: "expired", error: null })).toContain("did not come back online");
});
