import { rm, statfs } from "node:fs/promises";
import { deviceTools } from "@grove/schemas";
import { expect, it } from "vitest";
import { startTestDevice, testContext } from "../testing/deps";
import { getMachineStatusTool } from "./getMachineStatus";

it("reports the space of the file system of GROVE_HOME, and null after that was deleted", async () => {
  const { home } = await startTestDevice();
  const status = async () =>
    deviceTools.get_machine_status.result.parse(await getMachineStatusTool({ home }).run({}, testContext()));
  const { disk, memory, processors, startedAt } = await status();
  const { blocks, bsize } = await statfs(home.root);
  expect(disk?.totalBytes).toBe(blocks * bsize);
  expect(disk?.freeBytes).toBeLessThanOrEqual(blocks * bsize);
  expect(memory.freeBytes).toBeLessThanOrEqual(memory.totalBytes);
  expect(processors).toBeGreaterThan(0);
  expect(Date.parse(startedAt)).toBeLessThan(Date.now());
  await rm(home.root, { recursive: true });
  expect((await status()).disk).toBeNull();
});
