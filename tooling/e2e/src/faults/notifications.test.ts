import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "@grove/client";
import type { ReportedRequest } from "@grove/schemas";
import { seeded } from "@grove/testing/random";
import { until } from "@grove/testing/until";
import { afterAll, expect, it } from "vitest";
import { useScene } from "./world/scene";

const KILLS = Number(process.env.NOTIFICATION_KILLS ?? 4);
/** The requests that are opened for each kill. */
const REQUESTS = 3;
const random = seeded(11);

/** A body that was posted to the receiver. */
interface Received {
  path: string;
  body: { id?: string; url?: string; click?: string };
}

const received: Received[] = [];
/** Called when a notification has arrived, before it is answered. */
let onReceived = () => {};
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    received.push({ path: request.url ?? "", body: JSON.parse(Buffer.concat(chunks).toString()) });
    onReceived();
    response.writeHead(200).end();
  });
});
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
afterAll(() => receiver.close());
const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;

const scene = useScene(1, undefined, { PRIVATE_PROVIDER_HOSTS: host });

const asked = (): ReportedRequest => ({
  id: randomUUID(),
  kind: "permission",
  tool: "Bash",
  title: "Bash: ls",
  input: "ls",
  ageMs: 0,
  questions: [],
  isAnswerable: true,
  scopes: ["once"],
});

/** A device that reports an open request of a new session, until the API takes the report. */
async function startReporter() {
  const { cloud } = scene;
  const { organizationId, userId } = cloud;
  const device = await cloud
    .client()
    .device.register.mutate({ organizationId, name: "a", platform: "linux" });
  const client = createClient({ apiUrl: cloud.first.url, token: device.apiKey });
  return async (request: ReportedRequest) => {
    const id = randomUUID();
    await cloud.query(
      `insert into agent_sessions (organization_id, id, device_id, agent, name, started_by)
       values ($1, $2, $3, 'claude', 'needs_input', $4)`,
      [organizationId, id, device.id, userId],
    );
    const report = {
      type: "state",
      id,
      number: 1,
      state: "needs_permission",
      source: "hook",
      ageMs: 0,
    } as const;
    await until(
      () =>
        client.agent.reportSession.mutate({ ...report, requests: [request] }).then(
          () => true,
          () => false,
        ),
      "the report is taken",
    );
  };
}

/** The requests that notifications to this path are about, in the order of their arrival. */
const requestsAt = (path: string) =>
  received
    .filter((one) => one.path === path)
    .map(({ body }) => (body.url ?? body.click ?? "").split("/requests/")[1]);

it("no notification is lost or seen twice when the API is killed: webhooks arrive at least once, with one id", async () => {
  const { cloud } = scene;
  const { organizationId } = cloud;
  await cloud.person().user.setNotificationRules.mutate({
    organizationId,
    rules: [
      {
        channel: "webhook",
        kinds: ["needs_input"],
        target: { url: `http://${host}/hook`, secret: "0123456789abcdef" },
      },
      { channel: "ntfy", kinds: ["needs_input"], target: { url: `http://${host}/topic` } },
    ],
  });
  const open = await startReporter();
  const requests: string[] = [];
  const outbox = (columns: string, condition: string) =>
    cloud.query(`select ${columns} from notification_outbox where ${condition}`);
  for (let kill = 0; kill < KILLS; kill++) {
    const opened = Array.from({ length: REQUESTS }, asked);
    requests.push(...opened.map(({ id }) => id));
    // The API is killed before it has the answer to one of its notifications, or after it accepted a report.
    let left = Math.floor(random() * (2 * REQUESTS + 1));
    const isReached = new Promise<void>((resolve) => {
      onReceived = () => {
        if (--left === 0) resolve();
      };
    });
    const reports = opened.map(open);
    await (left === 0 ? Promise.race(reports) : isReached);
    await cloud.first.kill();
    await cloud.first.listen();
    await Promise.all(reports);
    // The lease of the killed process expires.
    await cloud.query("update notification_outbox set leased_until = now() where delivery_state = 'sending'");
    await until(
      async () => (await outbox("id", "delivery_state in ('due', 'sending')")).length === 0,
      "every notification is settled",
    );
  }

  const webhooks = received.filter(({ path }) => path === "/hook").map(({ body }) => body.id);
  expect(new Set(webhooks).size).toBe(requests.length);
  expect(new Set(requestsAt("/hook"))).toEqual(new Set(requests));
  expect(await outbox("id", "channel = 'webhook' and delivery_state <> 'sent'")).toEqual([]);

  // ntfy has no ids to recognize a repeated message by: at most one arrives, and a lost one is reported as unknown.
  const published = requestsAt("/");
  expect(new Set(published).size).toBe(published.length);
  const sent = await outbox("request_id", "channel = 'ntfy' and delivery_state = 'sent'");
  expect(published).toEqual(expect.arrayContaining(sent.map(({ request_id }) => request_id)));
  const unknown = await outbox("request_id", "channel = 'ntfy' and delivery_state = 'unknown'");
  expect(sent.length + unknown.length).toBe(requests.length);
});
