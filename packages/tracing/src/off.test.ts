import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { endTracing, span, startTracing, traceFields, traceparent } from "./index";

const { cache } = createRequire(import.meta.url);
const loaded = () => Object.keys(cache).filter((path) => path.includes("@opentelemetry/sdk-trace-base"));

const options = { service: "test", version: "1" };

it("without an endpoint only the work is done, and nothing is loaded", async () => {
  await startTracing({ ...options, endpoint: undefined });
  const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  expect(await span("a", { parent }, async () => traceparent())).toBeUndefined();
  expect(traceFields()).toEqual({});
  expect(loaded()).toEqual([]);

  await startTracing({ ...options, endpoint: "http://127.0.0.1:9" });
  expect(loaded()).not.toEqual([]);
  await endTracing();
});
