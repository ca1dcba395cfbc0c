import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { protocol } from "@grove/schemas";
import { until } from "@grove/testing/until";
import { expect, it, onTestFinished } from "vitest";
import { createDeviceApi } from "../cloud/deviceApi";
import { Refusal, startTestCloud } from "../testing/cloud";
import { command, startTestExecutor } from "../testing/executor";
import { silent } from "../testing/log";
import { stayConnected } from "./connection";

/** A connection to a test cloud, in the background until the test is over. */
async function connect(options: { openingMs?: number; apiUrl?: string } = {}) {
  const { apiUrl, ...timings } = options;
  const device = await startTestExecutor();
  const { test, journal, executor, outbox } = device;
  const stop = new AbortController();
  const states: boolean[] = [];
  const watched: string[] = [];
  const deps = {
    cloud: createDeviceApi(apiUrl ?? test.url, "grd_test"),
    journal,
    executor,
    outbox,
    log: silent,
    onConnected: (connected: boolean) => states.push(connected),
    onWatched: (sessionId: string) => watched.push(sessionId),
    timings: { ...timings, backoff: { baseMs: 20, maxMs: 200 } },
  };
  const over = stayConnected(deps, stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await over;
  });
  const streams = (count: number) => until(() => test.streams() >= count);
  return { ...device, stop, over, states, watched, streams };
}

const heartbeat = (epoch: number) => ({ type: "beat" as const, n: 0, epoch, nextMs: protocol.heartbeatMs });

it("it identifies itself, answers heartbeats, and accepts commands", async () => {
  const { test, journal, streams, states } = await connect();
  await streams(1);
  expect(test.calls.find(({ path }) => path === "device.connect")?.input).toEqual({
    journalId: journal.id,
    epoch: 0,
    agentVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    capabilities: ["create_workspace", "list_workspaces", "get_app_context", "list_projects"],
  });
  test.send(heartbeat(7));
  expect(await test.called("agent.heartbeat")).toEqual({ epoch: 7, beat: 0, running: [], waiting: [] });
  await until(() => states.at(-1));
  const sent = command();
  test.send(sent);
  await test.called("agent.complete", sent.id);
});

it("a heartbeat is answered once the journal has the epoch of its stream, which the next stream sends", async () => {
  const { test, journal, home, streams } = await connect();
  await streams(1);
  const sent = command();
  test.send(heartbeat(7));
  test.send(sent);
  await test.called("agent.heartbeat");
  expect(await readFile(join(home, "journal.jsonl"), "utf8")).toContain('"type":"stream","epoch":7');
  await test.called("agent.complete", sent.id);
  test.send({ type: "drain" });
  await streams(2);
  const connects = test.calls.filter(({ path }) => path === "device.connect");
  expect(connects.at(-1)?.input).toMatchObject({ journalId: journal.id, epoch: 7, newestBegun: sent.id });
});

it("commands that the reply to a heartbeat calls canceled or lost are ended", async () => {
  const { test, streams, executor } = await connect();
  await streams(1);
  const never = command();
  test.heartbeat.canceled.push(never.id);
  test.send(heartbeat(1));
  expect(await test.called("agent.complete", never.id)).toMatchObject({ canceled: true });
  await until(() => executor.open.running.length === 0);
});

it("cancel and settled events reach the commands they name, and an unknown event is ignored", async () => {
  const { test, streams, outbox, watched } = await connect();
  await streams(1);
  test.faults["agent.complete"] = () => {
    throw new Refusal("SERVICE_UNAVAILABLE");
  };
  const [canceled, settled] = [command(), command()];
  test.send({ type: "from the future" } as never);
  test.send({ type: "cancel", id: canceled.id });
  test.send(settled);
  await until(() => outbox.unconfirmed.length === 2);
  const before = test.count("agent.complete", settled.id);
  test.faults["agent.complete"] = undefined;
  test.send({ type: "watch", sessionId: settled.id });
  test.send({ type: "settled", ids: [settled.id, canceled.id] });
  await outbox.empty();
  expect(test.count("agent.complete", settled.id)).toBeGreaterThan(before);
  expect(watched).toEqual([settled.id]);
});

it("it reconnects after every end, and immediately after a drain", async () => {
  const { test, streams, states } = await connect();
  for (let n = 1; n <= 3; n++) {
    await streams(n);
    test.send(heartbeat(n));
    await until(() => test.count("agent.heartbeat") === n);
    await until(() => states.at(-1));
    if (n === 1) test.endStreams();
    else test.send({ type: "drain" });
  }
  await streams(4);
  expect(states.filter((connected) => !connected)).toHaveLength(3);
});

it("a stream that has gone silent is reconnected", async () => {
  const { test, streams } = await connect();
  for (const count of [1, 2, 3]) {
    await streams(count);
    test.send({ type: "beat", n: 0, epoch: count, nextMs: 20 });
  }
  await streams(4);
});

it("so is a stream that is accepted and closed silently, as by a proxy without an API behind it", async () => {
  let attempts = 0;
  const proxy = createServer((socket) => {
    attempts++;
    socket.destroy();
  });
  proxy.listen(0, "127.0.0.1");
  onTestFinished(() => void proxy.close());
  await once(proxy, "listening");
  const apiUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  await connect({ apiUrl, openingMs: 50 });
  await until(() => attempts >= 3);
});

it("an API that answers with nonsense or errors is retried until it works", async () => {
  const { test, streams, states } = await connect();
  await streams(1);
  let failures = 3;
  test.faults["device.connect"] = () => {
    if (failures-- > 0) throw new Refusal(failures % 2 ? "SERVICE_UNAVAILABLE" : "INTERNAL_SERVER_ERROR");
  };
  test.endStreams();
  await streams(2);
  test.send(heartbeat(1));
  await until(() => states.at(-1));
});

it("`revoked` ends it permanently", async () => {
  const { test, streams, over } = await connect();
  await streams(1);
  test.send({ type: "revoked" });
  expect(await over).toBe("revoked");
});

it("so does a key that is refused repeatedly, but not a single mishap", async () => {
  const { test, streams, over } = await connect();
  await streams(1);
  const refuse = () => {
    throw new Refusal("UNAUTHORIZED");
  };
  let once = 1;
  test.faults["device.connect"] = () => {
    if (once-- > 0) refuse();
  };
  test.endStreams();
  await streams(2);
  test.faults["device.connect"] = refuse;
  const before = test.count("device.connect");
  test.endStreams();
  expect(await over).toBe("revoked");
  expect(test.count("device.connect") - before).toBe(5);
});

it("it stops on its signal, even while the API cannot be reached", async () => {
  const connected = await connect();
  await connected.streams(1);
  connected.stop.abort();
  expect(await connected.over).toBe("stopped");

  const { url } = await startTestCloud();
  const unreachable = await connect({ apiUrl: url.replace(/\d+$/, "1") });
  await until(() => unreachable.states.includes(false));
  unreachable.stop.abort();
  expect(await unreachable.over).toBe("stopped");
});
