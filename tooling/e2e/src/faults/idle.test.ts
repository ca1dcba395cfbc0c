import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { useScene } from "./world/scene";

const scene = useScene();

/** The most that a beat, a ping and their frames take, with the head of the stream's response. */
const BYTES_A_BEAT = 1_500;

it("a connected, idle device exchanges beats and pings, and nothing else", async () => {
  const device = await scene.device("idle");
  await device.connect();
  const { line } = device;
  const beats = () => line.requests.filter((request) => request.includes("agent.heartbeat"));
  await until(() => beats().length >= 1, "a beat was answered");
  const { connections } = line;
  await until(() => beats().length >= 3, "three beats were answered");
  // The stream has one, and the beats share one.
  expect(line.connections).toBe(connections);
  const others = line.requests.filter((request) => !request.includes("agent.heartbeat"));
  // Before connecting, registration read the organization and made the device.
  expect(others.map((request) => request.replace(/\?.*/, ""))).toEqual([
    "GET /api/trpc/organization.list",
    "POST /api/trpc/device.register",
    "GET /api/trpc/device.connect",
  ]);
  expect(line.received).toBeLessThan(5_000 + beats().length * BYTES_A_BEAT);
});
