import { expect, it } from "vitest";
import { protocol } from "./protocol";

const { heartbeatMs, leaseMs, silenceMs, openingMs, acknowledgeMs, reportStartAfterMs } = protocol;

it("two lost heartbeats neither end a stream nor take a device offline", () => {
  expect(leaseMs).toBeGreaterThan(2 * heartbeatMs);
  expect(silenceMs).toBeGreaterThan(2 * heartbeatMs);
});

it("a stream that hangs is given up before its device's lease ends", () => {
  expect(acknowledgeMs).toBeLessThan(leaseMs);
  expect(openingMs).toBeLessThan(silenceMs);
});

it("the start of long work is reported well before its stream counts as dead", () => {
  expect(10 * reportStartAfterMs).toBeLessThan(acknowledgeMs);
});

it("a device's stream, which may end a tenth earlier, ends before tRPC ends it", () => {
  expect(protocol.deviceStreamMs).toBeLessThan(protocol.streamMs);
});

it("two pings reach a quiet client before it reconnects, and a device is sent only heartbeats", () => {
  expect(2 * protocol.pingMs).toBeLessThan(protocol.clientSilenceMs);
  expect(protocol.pingMs).toBeGreaterThan(heartbeatMs);
});
