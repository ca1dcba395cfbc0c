import type { AgentSession } from "@grove/schemas";
import { expect, it } from "vitest";
import { filterSessions, readFilter } from "./sessionFilters";

const device = "0198c0de-0000-7000-8000-000000000001";

it("reads a valid search, and drops other values", () => {
  const search = { state: "waiting", agent: "claude", device };
  expect(readFilter(search)).toEqual(search);
  expect(readFilter({ state: "toString", agent: "", device: "laptop" })).toEqual({});
});

it("filters sessions by state, agent and device", () => {
  const session = (id: string, fields: Partial<AgentSession>) =>
    ({
      id,
      status: "running",
      waitingForInput: false,
      agent: "claude",
      deviceId: device,
      ...fields,
    }) as AgentSession;
  const sessions = [
    session("works", {}),
    session("waits", { waitingForInput: true, agent: "codex" }),
    session("ended", { status: "failed", deviceId: "other" }),
  ];
  const found = (...filter: Parameters<typeof readFilter>) =>
    filterSessions(sessions, readFilter(...filter)).map(({ id }) => id);
  expect(found({})).toEqual(["works", "waits", "ended"]);
  expect(found({ state: "running" })).toEqual(["works"]);
  expect(found({ state: "waiting" })).toEqual(["waits"]);
  expect(found({ state: "ended" })).toEqual(["ended"]);
  expect(found({ agent: "claude" })).toEqual(["works", "ended"]);
  expect(found({ device, agent: "codex" })).toEqual(["waits"]);
});
