import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { connectFakeDevice } from "@grove/testing/device";
import { bearer, encode } from "./calls";
import { send } from "./http";

/** How long a device waits before it reconnects its stream. */
const RECONNECT_MS = 1_000;

/**
 * The file of the first argument: connect a device for each of these keys, to one address after the other. A device
 * whose stream has broken connects to the next address.
 */
export interface Order {
  urls: string[];
  /** The number of the first device, by which its address is chosen. */
  first: number;
  devices: { key: string; journalId: string }[];
}

interface DeviceEvent {
  type: string;
  /** The command's id. */
  id?: string;
}

// Many devices in one process, each as small as possible: it answers heartbeats, and each command immediately.
const streams = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
const calls = new Agent({ keepAlive: true, maxSockets: 128 });

/** The number of reconnected devices, and how many of them were reported. */
let reconnected = 0;
let reported = 0;
const REPORT_EVERY_MS = 100;
setInterval(() => {
  if (reconnected > reported) process.stdout.write(`reconnected: ${reconnected}\n`);
  reported = reconnected;
}, REPORT_EVERY_MS);

await connectAll(JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")));

async function connectAll({ urls, first, devices }: Order): Promise<void> {
  // A few at a time, since the benchmark does not measure how a server copes with a crowd of connects.
  const waiting = devices.map((device, n) => ({ ...device, at: first + n }));
  const connectNext = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      await connect(urls, next.at, next.key, next.journalId);
  };
  await Promise.all(Array.from({ length: 32 }, connectNext));
  process.stdout.write("connected\n");
}

/** Keeps a device's stream open, as a device agent does. Resolves when it is online. */
function connect(urls: string[], first: number, key: string, journalId: string): Promise<void> {
  return new Promise((online) => {
    const open = async () => {
      for (let at = first; ; at++) {
        const device = connectTo(urls[at % urls.length] ?? "", key, journalId);
        void device.online.then(() => {
          if (at > first) reconnected++;
          online();
        });
        const reason = await device.ended;
        if (urls.length === 1) process.stderr.write(`A device connects again: ${reason}\n`);
        await sleep(RECONNECT_MS * (0.5 + Math.random()));
      }
    };
    void open();
  });
}

/** Connects a device by bare requests, without tRPC's client. */
function connectTo(url: string, key: string, journalId: string) {
  const headers = bearer(key);
  const post = (procedure: string, body: object) =>
    send(`${url}/api/trpc/${procedure}`, { agent: calls, headers, body });
  const input = { journalId, agentVersion: "1.0.0", capabilities: ["list_projects"] };
  return connectFakeDevice<DeviceEvent>(
    {
      open: (onEvent, onEnd) =>
        follow(`${url}/api/trpc/device.connect?input=${encode(input)}`, headers, onEvent, onEnd),
      heartbeat: (answer) => post("agent.heartbeat", answer),
    },
    {
      keepsEvents: false,
      onEvent: ({ type, id }) => {
        if (type !== "command") return;
        post("agent.complete", { id, journalId, result: { projects: [] } }).catch(() => undefined);
      },
    },
  );
}

/** Reads server-sent events. Returns the function that ends the request. */
function follow(
  url: string,
  headers: Record<string, string>,
  onEvent: (event: DeviceEvent) => void,
  onEnd: (lastLine: string) => void,
): () => void {
  const options = { agent: streams, headers: { ...headers, accept: "text/event-stream" } };
  const call = request(url, options, (response) => {
    let buffered = "";
    let last = `answered ${response.statusCode}`;
    response.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (buffered + chunk).split("\n");
      buffered = lines.pop() ?? "";
      for (const line of lines)
        if (line.startsWith("data: {")) {
          last = line;
          onEvent(JSON.parse(line.slice("data: ".length)));
        }
    });
    response.on("close", () => onEnd(last)).on("error", () => {});
  });
  call.on("error", (error) => onEnd(error.message));
  call.end();
  return () => call.destroy();
}
