import { afterEach, beforeEach } from "vitest";
import { type Grove, startGrove } from "./grove";
import { createMachine, type Machine } from "./machine";

/**
 * For test files: a new machine for each test, and Grove on it. The Grove that was started last is stopped after the
 * test.
 */
export function useGrove() {
  let machine: Machine;
  let running: Grove | undefined;
  beforeEach(async () => {
    machine = await createMachine();
  });
  afterEach(async () => {
    await running?.stop();
    running = undefined;
    await machine.remove();
  });
  return {
    get machine() {
      return machine;
    },
    /** Starts Grove with these arguments, and resolves when it listens. */
    start: async (...args: string[]): Promise<Grove> => {
      running = await startGrove(machine, ...args);
      return running;
    },
  };
}
