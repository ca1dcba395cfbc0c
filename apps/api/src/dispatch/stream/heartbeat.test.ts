import { newId } from "@grove/db";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { begin } from "../../testing/device";
import { useOwnDevices } from "../../testing/ownDevices";
import { useTestServer } from "../../testing/server";

const server = await useTestServer();
const ada = await server.signUp("Ada");
const { online, execute, command, givenUp } = useOwnDevices(server, ada);

it("a beat says what runs: that has begun, though its start was not heard", async () => {
  const { id, device } = await online();
  const sent = await execute(id);
  await device.event("command");
  const { epoch } = await device.event("beat");
  await device.client.agent.heartbeat.mutate({ epoch, beat: 1, running: [sent.id, newId()] });
  expect((await command(sent.id)).status).toBe("running");
  await begin(sent, device);
});

it("a beat tells of what was given up since its start was never heard", async () => {
  const { device, commandId } = await givenUp();
  const { epoch } = await device.event("beat");
  const answer = await device.client.agent.heartbeat.mutate({ epoch, beat: 1, running: [commandId] });
  expect(answer).toEqual({ canceled: [], lost: [commandId] });
});

it("renews the newest stream's lease when an older one's beat comes with it", async () => {
  const { id, device } = await online();
  const { epoch } = await device.event("beat");
  await sql`update devices set present_until = null where id = ${id}`.execute(server.database.db);
  const { presence } = server.services.dispatch;
  const renewed = presence.renew(id, epoch, true);
  await presence.renew(id, epoch - 1, false);
  await renewed;
  expect((await ada.client.device.get.query({ organizationId: ada.organizationId, id })).status).toBe(
    "online",
  );
});
