import type { AgentSession } from "@grove/schemas";
import { expect, it } from "vitest";
import { begunSince } from "./desktopNotifications";

const asking = ["1", "2"].map((id) => ({ id }) as AgentSession);

it("calls for agents that begin to ask, and for none that asked when the page was opened", () => {
  expect(begunSince(undefined, asking)).toEqual([]);
  expect(begunSince(new Set(["1"]), asking).map(({ id }) => id)).toEqual(["2"]);
  expect(begunSince(new Set(["1", "2"]), asking)).toEqual([]);
});
