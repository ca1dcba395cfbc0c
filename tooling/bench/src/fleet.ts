import { Agent, request } from "node:http";

/** What the parent says: connect a device for each of these keys. */
interface Order {
  url: string;
  devices: { key: string; journalId: string }[];
}

interface DeviceEvent {
  type: string;
  id?: string;
  n?: number;
  epoch?: number;
}

// Many devices in one process, as little of each as there can be: it answers beats, and each command at once.
const streams = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
const calls = new Agent({ keepAlive: true, maxSockets: 128 });

process.on("message", (order: Order) => void connectAll(order));
process.on("disconnect", () => process.exit());
process.send?.("ready");

async function connectAll({ url, devices }: Order): Promise<void> {
  // A few at a time: what is measured is not how a server takes a crowd at its door.
  const waiting = [...devices];
  const connectNext = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      await connect(url, next.key, next.journalId);
  };
  await Promise.all(Array.from({ length: 32 }, connectNext));
  process.send?.("connected");
}

/** Resolves when the device's first beat was answered: it is online. */
function connect(url: string, key: string, journalId: string): Promise<void> {
  const input = { journalId, agentVersion: "1.0.0", capabilities: ["list_projects"] };
  const path = `${url}/api/trpc/device.connect?input=${encodeURIComponent(JSON.stringify(input))}`;
  const headers = { authorization: `Bearer ${key}`, accept: "text/event-stream" };
  return new Promise((resolve, reject) => {
    const onEvent = (event: DeviceEvent) => {
      if (event.type === "beat")
        post(
          `${url}/api/trpc/agent.heartbeat`,
          key,
          { epoch: event.epoch, beat: event.n, running: [] },
          resolve,
        );
      if (event.type === "command")
        post(`${url}/api/trpc/agent.complete`, key, { id: event.id, journalId, result: { projects: [] } });
    };
    const stream = request(path, { agent: streams, headers }, (response) => {
      if (response.statusCode !== 200)
        return reject(new Error(`A device was answered ${response.statusCode}.`));
      let rest = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines)
          if (line.startsWith("data: {")) onEvent(JSON.parse(line.slice("data: ".length)));
      });
      response.on("error", () => {});
    });
    stream.on("error", reject);
    stream.end();
  });
}

function post(url: string, key: string, body: object, answered: () => void = () => {}): void {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const call = request(url, { method: "POST", agent: calls, headers }, (response) => {
    response.resume().on("end", answered);
  });
  // The next beat comes soon; nobody waits for this one.
  call.on("error", answered);
  call.end(JSON.stringify(body));
}
