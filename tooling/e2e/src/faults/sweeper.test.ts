import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { askUntilSettled, newRequest, submit } from "./world/caller";
import { check } from "./world/check";
import { useScene } from "./world/scene";

// The grace is long enough for a device to report everything that it could not; the other times are short.
const scene = useScene(1, { everyMs: 500, graceMs: 20_000, reportMs: 1_000 });

it("work that ended while PostgreSQL was unreachable counts as done, though its time had passed", async () => {
  const { cloud, postgres } = scene;
  const [device, away] = [await scene.device("device"), await scene.device("away")];
  await device.connect();
  const project = await device.addWork("work", 1);
  const gone = newRequest(await away.addWork("away work", 1), 0);
  scene.atEnd(() => project.work.release());
  // Waits until the sweeper gives commands up again: the grace after its start is over.
  await submit(cloud, gone, { queueTtlMs: 1_000 });
  await scene.untilCommand(gone.commandId, "expired");

  const asked = newRequest(project, 0);
  await project.work.hold(0);
  await submit(cloud, asked, { timeoutMs: 6_000 });
  await scene.untilCommand(asked.commandId, "running");
  // The work ends, and the cloud is down before it gets the report.
  device.line.refused = /agent\.complete/;
  await project.work.release(0);
  await until(() => device.hasEnded(asked.commandId ?? ""), "the work is done");
  if (postgres.pid === undefined) throw new Error("This PostgreSQL is not the test's own.");
  process.kill(postgres.pid, "SIGKILL");
  const lost = performance.now();
  device.line.refused = undefined;
  await until(() => performance.now() - lost > 9_000, "its time has passed");
  await postgres.restart?.();

  const { answer } = await askUntilSettled(cloud, asked);
  expect(answer).toMatchObject({ status: "succeeded" });
  expect(await check(cloud, [asked])).toEqual([]);
});
