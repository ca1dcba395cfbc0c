import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { type Asked, askUntilSettled, newRequest, submit } from "./world/caller";
import { check } from "./world/check";
import { useScene } from "./world/scene";

const scene = useScene();

/** Starts the API again as if it had been away for this many minutes. */
async function restartAfter(minutes: number): Promise<void> {
  const earlier = (columns: string[]) =>
    columns.map((column) => `${column} = ${column} - interval '${minutes} minutes'`).join(", ");
  const ofCommands = ["created_at", "claimed_at", "started_at", "queue_expires_at"];
  await scene.cloud.query(`update device_commands set ${earlier(ofCommands)}`);
  await scene.cloud.query(`update devices set ${earlier(["present_until", "last_seen_at"])}`);
  await scene.cloud.query(`update api_instances set ${earlier(["lease_until"])}`);
  await scene.cloud.first.listen();
}

it("an outage longer than every time-out loses no finished work, and does nothing twice", async () => {
  const [device, away] = [await scene.device("device"), await scene.device("away")];
  for (const each of [device, away]) await each.connect();
  const awayProject = await away.addWork("away work", 2);
  await away.kill();

  // Each has its own repository: work in one repository is done one after another.
  const begin = async (name: string, timeoutMs: number): Promise<Asked> => {
    const project = await device.addWork(name, 1);
    const asked = newRequest(project, 0);
    await project.work.hold();
    scene.atEnd(() => project.work.release());
    await submit(scene.cloud, asked, { timeoutMs });
    await until(async () => (await project.work.begun()).includes(0), "the work has begun");
    return asked;
  };
  const ends = await begin("ends", 600_000);
  const continues = await begin("goes on", 3_600_000);
  const takesTooLong = await begin("takes too long", 5_000);
  const waits = newRequest(awayProject, 0);
  await submit(scene.cloud, waits, { queueTtlMs: 3_600_000 });
  const expires = newRequest(awayProject, 1);
  await submit(scene.cloud, expires, { queueTtlMs: 60_000 });

  await scene.cloud.first.kill();
  await ends.project.work.release();
  await until(() => device.output.includes("timed_out"), "the device has given it up");
  await restartAfter(30);
  await away.connect();
  await continues.project.work.release();

  const asked = [ends, continues, takesTooLong, waits, expires];
  await Promise.all(asked.map((one) => askUntilSettled(scene.cloud, one)));
  expect(asked.map(({ answer }) => [answer?.status, answer?.error?.reason])).toEqual([
    ["succeeded", undefined],
    ["succeeded", undefined],
    ["timed_out", "timed_out"],
    ["succeeded", undefined],
    ["expired", "queue_expired"],
  ]);
  expect(await check(scene.cloud, asked)).toEqual([]);
});
