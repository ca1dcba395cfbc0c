import { describe, expect, it } from "vitest";
import type { TestDevice } from "../../testing/device";
import { useOwnDevices } from "../../testing/ownDevices";
import { useTestServer } from "../../testing/server";
import { sweep } from "../end/sweep";

const server = await useTestServer();
const { online, connect, execute, command, requeued, givenUp, expire } = useOwnDevices(
  server,
  await server.signUp("Ada"),
);

describe("a device's report of a command that was settled without it", () => {
  const late = async (commandId: string, { client, journalId }: TestDevice, report: object) => {
    await client.agent.complete.mutate({ id: commandId, journalId, ...report } as never);
    return (await command(commandId)).lateResult;
  };

  it("is kept when the command had expired after it was sent", async () => {
    const { commandId, device } = await requeued();
    await expire(commandId);
    await sweep(server.services);
    expect((await command(commandId)).status).toBe("expired");
    expect(await late(commandId, device, { result: "done" })).toEqual({ result: "done" });
  });

  it("is kept when the command was given up after it was sent three times", async () => {
    const { device, commandId } = await givenUp();
    expect((await command(commandId)).error?.reason).toBe("not_started");
    const error = { reason: "branch_exists", message: "There is one." };
    expect(await late(commandId, device, { error })).toEqual({ error });
  });

  it("is kept when the command was lost, and the device had canceled it", async () => {
    const { commandId, apiKey, device } = await requeued();
    const other = connect(apiKey);
    await other.event("beat");
    expect((await command(commandId)).status).toBe("lost");
    expect(await late(commandId, device, { canceled: true })).toEqual({ canceled: true });
  });

  it("is not kept when it repeats an accepted report", async () => {
    const { id, device } = await online();
    const { id: commandId } = await execute(id);
    await device.event("command");
    const error = { reason: "timed_out", message: "Its time was up." };
    expect(await late(commandId, device, { error })).toBeNull();
    expect(await command(commandId)).toMatchObject({ status: "timed_out", error });
    expect(await late(commandId, device, { error })).toBeNull();
  });
});
