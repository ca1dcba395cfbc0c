import { newId } from "@grove/db";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { begin } from "../../testing/device";
import { useOwnDevices } from "../../testing/ownDevices";
import { useTestServer } from "../../testing/server";

const server = await useTestServer();
const ada = await server.signUp("Ada");
const { register, online, execute, command, givenUp } = useOwnDevices(server, ada);

it("a command in a heartbeat has begun, though the report of its start was lost", async () => {
  const { id, device } = await online();
  const sent = await execute(id);
  await device.event("command");
  const { epoch } = await device.event("beat");
  await device.client.agent.heartbeat.mutate({ epoch, beat: 1, running: [sent.id, newId()] });
  expect((await command(sent.id)).status).toBe("running");
  await begin(sent, device);
});

it("a heartbeat's answer names commands that were given up because they never reported a start", async () => {
  const { device, commandId } = await givenUp();
  const { epoch } = await device.event("beat");
  const answer = await device.client.agent.heartbeat.mutate({ epoch, beat: 1, running: [commandId] });
  expect(answer).toEqual({ canceled: [], lost: [commandId] });
});

it("brings the newest stream's device online when an older one's heartbeat arrives with it", async () => {
  const { id } = await register();
  // The device's stream is on another process.
  await sql`update devices set epoch = 5 where id = ${id}`.execute(server.database.db);
  const { presence } = server.services.dispatch;
  const written = presence.answered(id, 5, true);
  await presence.answered(id, 4, false);
  await written;
  expect((await ada.client.device.get.query({ organizationId: ada.organizationId, id })).status).toBe(
    "online",
  );
});
