import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** How long a device waits before it reconnects its stream. */
const RECONNECT_MS = 1_000;

/**
 * The parent's message: connect a device for each of these keys, to one address after the other. A device whose stream
 * has broken connects to the next address.
 */
interface Order {
  urls: string[];
  /** The number of the first device, by which its address is chosen. */
  first: number;
  devices: { key: string; journalId: string }[];
}

interface DeviceEvent {
  type: string;
  id?: string;
  n?: number;
  epoch?: number;
}

// Many devices in one process, each as small as possible: it answers beats, and each command immediately.
const streams = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
const calls = new Agent({ keepAlive: true, maxSockets: 128 });

process.on("message", (order: Order) => void connectAll(order));
process.on("disconnect", () => process.exit());
process.send?.("ready");

/** How many devices have reconnected since the last report. */
let back = 0;
const TELL_EVERY_MS = 100;
setInterval(() => {
  if (back > 0) process.send?.({ back });
  back = 0;
}, TELL_EVERY_MS).unref();

async function connectAll({ urls, first, devices }: Order): Promise<void> {
  // A few at a time, since the benchmark does not measure how a server copes with a crowd of connects.
  const waiting = devices.map((device, n) => ({ ...device, at: first + n }));
  const connectNext = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      await connect(urls, next.at, next.key, next.journalId);
  };
  await Promise.all(Array.from({ length: 32 }, connectNext));
  process.send?.("connected");
}

/** Keeps a device's stream open, as an agent does. Resolves when its first beat is answered, so that it is online. */
function connect(urls: string[], first: number, key: string, journalId: string): Promise<void> {
  return new Promise((online) => {
    const open = async () => {
      for (let at = first; ; at++) {
        let isOnline = false;
        const reason = await stream(urls[at % urls.length] ?? "", key, journalId, () => {
          if (at > first && !isOnline) back++;
          isOnline = true;
          online();
        });
        if (urls.length === 1) process.stderr.write(`A device connects again: ${reason}\n`);
        await sleep(RECONNECT_MS * (0.5 + Math.random()));
      }
    };
    void open();
  });
}

/** Resolves when the stream has ended, with its last line. */
function stream(url: string, key: string, journalId: string, online: () => void): Promise<string> {
  const input = { journalId, agentVersion: "1.0.0", capabilities: ["list_projects"], obeysNextMs: true };
  const path = `${url}/api/trpc/device.connect?input=${encodeURIComponent(JSON.stringify(input))}`;
  const headers = { authorization: `Bearer ${key}`, accept: "text/event-stream" };
  return new Promise((resolve) => {
    const onEvent = (event: DeviceEvent) => {
      if (event.type === "beat")
        post(
          `${url}/api/trpc/agent.heartbeat`,
          key,
          { epoch: event.epoch, beat: event.n, running: [] },
          online,
        );
      if (event.type === "command")
        post(`${url}/api/trpc/agent.complete`, key, { id: event.id, journalId, result: { projects: [] } });
    };
    const call = request(path, { agent: streams, headers }, (response) => {
      let rest = "";
      let last = `answered ${response.statusCode}`;
      response.setEncoding("utf8").on("data", (chunk: string) => {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines)
          if (line.startsWith("data: {")) {
            last = line;
            onEvent(JSON.parse(line.slice("data: ".length)));
          }
      });
      response.on("close", () => resolve(last)).on("error", () => {});
    });
    call.on("error", (error) => resolve(error.message));
    call.end();
  });
}

function post(url: string, key: string, body: object, answered: () => void = () => {}): void {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const call = request(url, { method: "POST", agent: calls, headers }, (response) => {
    response.resume().on("end", () => response.statusCode === 200 && answered());
  });
  // A lost answer does not matter, since the next beat comes soon.
  call.on("error", () => {});
  call.end(JSON.stringify(body));
}
