import { join } from "node:path";
import { copyDatabase } from "@grove/test-api/template";
import { afterEach, beforeEach } from "vitest";
import { type Grove, startGrove } from "./grove";
import { createMachine, type Machine } from "./machine";

/**
 * For test files: a new machine for each test, and Grove on it. The Grove that was started last is stopped after the
 * test. Its first start finds an empty database; `journey.test.ts` and `demo.test.ts` start without one.
 */
export function useGrove() {
  let machine: Machine;
  let running: Grove | undefined;
  let copied: Promise<void> | undefined;
  beforeEach(async () => {
    machine = await createMachine();
    copied = undefined;
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
      copied ??= copyDatabase(join(machine.root, ".grove"));
      await copied;
      running = await startGrove(machine, ...args);
      return running;
    },
  };
}
