import { expect, it } from "vitest";
import { protocol } from "./protocol";

const { beatMs, leaseMs, silenceMs, openingMs, acknowledgeMs, reportStartAfterMs } = protocol;

it("two lost beats neither end a stream nor take a device offline", () => {
  expect(leaseMs).toBeGreaterThan(2 * beatMs);
  expect(silenceMs).toBeGreaterThan(2 * beatMs);
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

it("two pings reach a quiet client before it reconnects, and a device is sent only beats", () => {
  expect(2 * protocol.pingMs).toBeLessThan(protocol.clientSilenceMs);
  expect(protocol.pingMs).toBeGreaterThan(beatMs);
});
