import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  agentCompleteInput,
  agentExecuteInput,
  type CommandStatus,
  commandStatus,
  commandTransitions,
  isSettled,
  openStatuses,
  settledStatuses,
  statesBefore,
} from "./command";

/** The transitions of the design, written out independently and in the other direction. */
const allowed: Record<CommandStatus, CommandStatus[]> = {
  queued: ["claimed"],
  claimed: ["queued"],
  running: ["claimed"],
  succeeded: ["claimed", "running", "lost"],
  failed: ["claimed", "running", "lost"],
  canceled: ["queued", "claimed", "running"],
  expired: ["queued", "claimed"],
  timed_out: ["claimed", "running", "lost"],
  lost: ["queued", "claimed", "running"],
};

const after = (from: CommandStatus): readonly CommandStatus[] => commandTransitions[from];

/** A random life of a command: a path through the table from `queued`. */
const life = fc.array(fc.nat(), { maxLength: 30 }).map((choices) => {
  const states: CommandStatus[] = ["queued"];
  for (const choice of choices) {
    const next = after(states.at(-1) ?? "queued");
    const state = next[choice % next.length];
    if (state === undefined) break;
    states.push(state);
  }
  return states;
});

describe("a command's transitions", () => {
  it.each(commandStatus.options)("lead to %s only from the states in the design", (to) => {
    expect(statesBefore(to).toSorted()).toEqual(allowed[to].toSorted());
  });

  it("are settled or open, never both", () => {
    expect([...settledStatuses, ...openStatuses].toSorted()).toEqual(commandStatus.options.toSorted());
    for (const status of openStatuses) expect(isSettled(status)).toBe(false);
    for (const status of settledStatuses) expect(isSettled(status)).toBe(true);
  });

  it("move along the table that statesBefore reads backwards", () => {
    const state = fc.constantFrom(...commandStatus.options);
    fc.assert(
      fc.property(state, state, (from, to) => {
        expect(statesBefore(to).includes(from)).toBe(after(from).includes(to));
      }),
    );
  });

  it("never leave a settled state, except by a late result of a lost command", () => {
    fc.assert(
      fc.property(life, (states) => {
        states.slice(0, -1).forEach((state, step) => {
          if (!isSettled(state)) return;
          expect(state).toBe("lost");
          expect(["succeeded", "failed", "timed_out"]).toContain(states[step + 1]);
        });
      }),
    );
  });

  it("never requeue a running command, which could then run twice", () => {
    fc.assert(
      fc.property(life, (states) => {
        const begun = states.indexOf("running");
        if (begun !== -1) expect(states.slice(begun)).not.toContain("queued");
      }),
    );
  });

  it("give every open command a way to settle", () => {
    for (const status of openStatuses) expect(after(status).some(isSettled)).toBe(true);
  });
});

const device = "0198a000-0000-7000-8000-000000000001";
const organization = "0198a000-0000-7000-8000-000000000002";
const execute = { organizationId: organization, deviceId: device, tool: "list_projects", params: {} };

describe("agent.execute", () => {
  it("by default waits 30 s, refuses an offline device and keeps no queue", () => {
    expect(agentExecuteInput.parse(execute)).toEqual({
      ...execute,
      waitMs: 30_000,
      ifOffline: "fail",
      queueTtlMs: 86_400_000,
      cancelOnDisconnect: false,
    });
  });

  it.each([
    { waitMs: -1 },
    { waitMs: 55_001 },
    { waitMs: 1.5 },
    { timeoutMs: 0 },
    { tool: "ListProjects" },
    { tool: "list-projects" },
    { params: [] },
    { idempotencyKey: "" },
  ])("refuses %j", (bad) => {
    expect(agentExecuteInput.safeParse({ ...execute, ...bad }).success).toBe(false);
  });
});

describe("agent.complete", () => {
  const report = { id: device, journalId: organization };
  const error = { reason: "branch_exists", message: "There is a branch main already." };

  it.each([{ result: { workspaces: [] } }, { result: null }, { error }, { canceled: true }])(
    "accepts %j",
    (outcome) => {
      expect(agentCompleteInput.parse({ ...report, ...outcome })).toEqual({ ...report, ...outcome });
    },
  );

  it.each([{}, { result: 1, error }, { result: 1, canceled: true }, { canceled: false }])(
    "refuses %j",
    (outcome) => {
      expect(agentCompleteInput.safeParse({ ...report, ...outcome }).success).toBe(false);
    },
  );
});
