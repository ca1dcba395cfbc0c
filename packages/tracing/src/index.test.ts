import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, it } from "vitest";
import { endTracing, failSpan, record, span, startTracing, traceFields, traceparent } from "./index";

interface Sent {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  status: { code?: number; message?: string };
  links?: { spanId: string }[];
}

const sent: Sent[] = [];
const collect = async (request: IncomingMessage, answer: ServerResponse) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const { resourceSpans } = JSON.parse(Buffer.concat(parts).toString()) as {
    resourceSpans: { scopeSpans: { spans: Sent[] }[] }[];
  };
  for (const { scopeSpans } of resourceSpans) for (const { spans } of scopeSpans) sent.push(...spans);
  answer.writeHead(200, { "content-type": "application/json" }).end("{}");
};
const collector = createServer((...both) => void collect(...both)).listen(0, "127.0.0.1");
await once(collector, "listening");
afterAll(() => void collector.close());
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`;

const traceId = "0af7651916cd43dd8448eb211c80319c";
const sampled = `00-${traceId}-b7ad6b7169203331-01`;

/** Traces during some work, and returns the spans that arrived at the collector. */
async function traced(work: () => Promise<unknown>): Promise<Map<string, Sent>> {
  await startTracing({ endpoint, service: "test", version: "1" });
  await work();
  await endTracing();
  return new Map(sent.splice(0).map((each) => [each.name, each]));
}

it("continues a caller's trace through spans within spans, records and links", async () => {
  let header: string | undefined;
  const spans = await traced(() =>
    span("outer", { parent: sampled, kind: "server" }, async () => {
      header = traceparent();
      expect(traceFields()).toEqual({ trace_id: traceId });
      await span("inner", { links: [sampled, null, "nonsense"] }, async () => failSpan("TIMEOUT"));
      record("before", { parent: header }, Date.now() - 1_000);
    }),
  );
  const [outer, inner, before] = ["outer", "inner", "before"].map((name) => spans.get(name));
  expect(outer).toMatchObject({ traceId, parentSpanId: "b7ad6b7169203331" });
  expect(header).toBe(`00-${traceId}-${outer?.spanId}-01`);
  expect(inner).toMatchObject({
    traceId,
    parentSpanId: outer?.spanId,
    status: { code: 2, message: "TIMEOUT" },
  });
  expect(inner?.links).toEqual([expect.objectContaining({ spanId: "b7ad6b7169203331" })]);
  expect(before).toMatchObject({ traceId, parentSpanId: outer?.spanId });
});

it("records only the kind of a failure, and rethrows it", async () => {
  const spans = await traced(async () => {
    const failing = span("fails", { parent: sampled }, () => Promise.reject(new TypeError("a secret")));
    await expect(failing).rejects.toThrow("a secret");
  });
  expect(spans.get("fails")?.status).toEqual({ code: 2, message: "TypeError" });
});

it("records no trace that its caller does not record, and few of those that begin here", async () => {
  const spans = await traced(async () => {
    await span("unsampled", { parent: sampled.replace(/01$/, "00") }, async () => {
      // The callees receive the caller's decision.
      expect(traceparent()).toMatch(/-00$/);
    });
    for (let n = 0; n < 1_000; n++) await span(`root ${n}`, { parent: "nonsense" }, async () => {});
  });
  expect(spans.has("unsampled")).toBe(false);
  expect(spans.size).toBeGreaterThan(10);
  expect(spans.size).toBeLessThan(150);
});
