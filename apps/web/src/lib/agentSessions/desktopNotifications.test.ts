import type { AgentSession } from "@grove/schemas";
import { expect, it } from "vitest";
import { newlyWaiting } from "./desktopNotifications";

const waiting = ["1", "2"].map((id) => ({ id }) as AgentSession);

it("notifies of agents that begin to wait for input, but not of those that waited when the page was opened", () => {
  expect(newlyWaiting(undefined, waiting)).toEqual([]);
  expect(newlyWaiting(new Set(["1"]), waiting).map(({ id }) => id)).toEqual(["2"]);
  expect(newlyWaiting(new Set(["1", "2"]), waiting)).toEqual([]);
});
