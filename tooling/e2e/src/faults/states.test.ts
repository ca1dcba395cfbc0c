import { until } from "@grove/testing/until";
import { beforeAll, describe, expect, it } from "vitest";
import { type Asked, askUntilSettled, newRequest, submit } from "./world/caller";
import { check } from "./world/check";
import type { DeviceMachine, Project } from "./world/device";
import { useScene } from "./world/scene";

const scene = useScene();
let device: DeviceMachine;
let project: Project;
let next = 0;

beforeAll(async () => {
  device = await scene.device("device");
  await device.connect();
  project = await device.addWork("work", 50);
  scene.atEnd(() => project.work.release(next - 1));
});

/** Brings a command to a state that it stays in until `proceed` is called. */
const states: Record<string, { reach(asked: Asked): Promise<void>; proceed(asked: Asked): Promise<void> }> = {
  queued: {
    reach: async (asked) => {
      await device.kill();
      // Otherwise the device may still count as connected.
      await device.untilStatus("offline");
      await submit(scene.cloud, asked);
      await scene.untilCommand(asked.commandId, "queued");
    },
    proceed: async () => {
      if (!device.running) device.start();
    },
  },
  claimed: {
    reach: async (asked) => {
      device.pause();
      await submit(scene.cloud, asked);
      await scene.untilCommand(asked.commandId, "claimed");
    },
    proceed: async () => device.resume(),
  },
  running: {
    reach: async (asked) => {
      await project.work.hold(asked.n);
      await submit(scene.cloud, asked);
      await until(async () => (await project.work.begun()).includes(asked.n), "the work has begun");
      await scene.untilCommand(asked.commandId, "running");
    },
    proceed: ({ n }) => project.work.release(n),
  },
};

/** Each fault breaks a part of the system. The returned function repairs it after `proceed`. */
const faults: Record<string, () => Promise<(() => Promise<unknown>) | undefined>> = {
  "the API is killed": async () => {
    await scene.cloud.first.kill();
    return () => scene.cloud.first.listen();
  },
  "the API is killed and started": async () => {
    await scene.cloud.first.kill();
    await scene.cloud.first.listen();
    return undefined;
  },
  "the device is killed": async () => {
    await device.kill();
    return async () => {
      if (!device.running) device.start();
    };
  },
  "every database connection is cut": async () => {
    await scene.cloud.cutDatabase();
    return undefined;
  },
  "PostgreSQL is restarted": async () => {
    await scene.postgres.restart?.();
    return undefined;
  },
  "the stream is cut": async () => {
    device.line.cut();
    return undefined;
  },
  "the line is dead": async () => {
    device.line.close();
    return async () => device.line.open();
  },
  "the stream stalls": async () => {
    device.line.stall();
    return async () => device.line.open();
  },
  "a proxy buffers the stream": async () => {
    device.line.buffer();
    return async () => device.line.open();
  },
  "the API is suspended": async () => {
    scene.cloud.first.pause();
    return async () => scene.cloud.first.resume();
  },
};

describe.each(Object.entries(states))("a command that is %s", (state, { reach, proceed }) => {
  it.each(Object.entries(faults))(
    "is settled, done at most once and correctly answered when %s",
    async (fault, breakIt) => {
      const asked = newRequest(project, next++);
      if (!device.running) device.start();
      await device.untilReached();
      await reach(asked);
      const repair = await breakIt();
      await proceed(asked);
      await repair?.();

      const { answer } = await askUntilSettled(scene.cloud, asked);
      if (state === "running" && fault === "the device is killed")
        expect(answer).toMatchObject({ status: "failed", error: { reason: "interrupted" } });
      else expect(answer).toMatchObject({ status: "succeeded" });
      expect(await check(scene.cloud, [asked])).toEqual([]);
    },
  );
});
