import { startPostgres } from "@grove/testing/postgres";
import { until } from "@grove/testing/until";
import { afterAll, beforeAll } from "vitest";
import { createMachine, type Machine } from "../../support/machine";
import { type Cloud, type SweeperTimes, startCloud } from "./cloud";
import { DeviceMachine, type DeviceOptions } from "./device";

export interface Scene {
  readonly machine: Machine;
  readonly postgres: Awaited<ReturnType<typeof startPostgres>>;
  readonly cloud: Cloud;
  /** Registers a machine, whose processes end after the file's tests. */
  device(name: string, options?: DeviceOptions): Promise<DeviceMachine>;
  /** Registers a step to run after the file's tests, before the machines are removed. */
  atEnd(undo: () => unknown): void;
  /** Resolves when a command is in this state. */
  untilCommand(id: string | undefined, status: string): Promise<void>;
}

/**
 * A test file's own PostgreSQL, API processes and machines. Call it at the top of the file.
 * @param sweeper times of the API's sweeper, instead of the usual ones
 * @param apiEnv more environment variables of the API
 */
export function useScene(instances = 1, sweeper?: SweeperTimes, apiEnv: NodeJS.ProcessEnv = {}): Scene {
  let machine: Machine;
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  let cloud: Cloud;
  const undo: (() => unknown)[] = [];
  beforeAll(async () => {
    machine = await createMachine();
    undo.push(() => machine.remove());
    postgres = await startPostgres({ fresh: true });
    undo.push(() => postgres.stop());
    cloud = await startCloud(postgres.url, machine, instances, sweeper, apiEnv);
    undo.push(() => cloud.end());
  });
  afterAll(async () => {
    for (const step of undo.reverse()) await step();
  });
  return {
    get machine() {
      return machine;
    },
    get postgres() {
      return postgres;
    },
    get cloud() {
      return cloud;
    },
    device: async (name, options) => {
      const device = await DeviceMachine.register(cloud, machine, name, options);
      undo.push(() => device.line.end());
      undo.push(() => device.kill());
      return device;
    },
    atEnd: (step) => undo.push(step),
    untilCommand: async (id, status) => {
      await until(async () => {
        const [row] = await cloud.query("select status from device_commands where id = $1", [id]);
        return row?.status === status;
      }, `command ${id} is ${status}`);
    },
  };
}
