import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { startTestCloud } from "../testing/cloud";
import { createDeviceApi } from "./deviceApi";

const journalId = randomUUID();

it("large results are sent alone, small ones in batches", async () => {
  const test = await startTestCloud();
  const cloud = createDeviceApi(test.url, "grd_test");
  const complete = (bytes: number) =>
    cloud.complete({ id: randomUUID(), journalId, result: "x".repeat(bytes) });
  await Promise.all([1, 600_000, 600_000, 600_000, 100, 100].map(complete));
  const batches = test.requests.map((url) => url.split(",").length);
  expect(batches.sort()).toEqual([1, 1, 1, 1, 2]);
  expect(test.count("agent.complete")).toBe(6);
});

it("large output of sessions is never sent in a batch", async () => {
  const test = await startTestCloud();
  const cloud = createDeviceApi(test.url, "grd_test");
  const report = () =>
    cloud.reportSession({ type: "output", id: randomUUID(), sequence: 1, data: "─".repeat(65_536) });
  await Promise.all(Array.from({ length: 8 }, report));
  expect(test.requests).toHaveLength(8);
  expect(test.sessionReports).toHaveLength(8);
});
